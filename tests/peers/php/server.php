<?php
// Copyright (c) 2026, FCD collection contributors
// GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
// SPDX-License-Identifier: GPL-3.0-or-later

// PHP's SoapServer behind PHP's own web server: php -S 127.0.0.1:PORT -t FOLDER server.php
// FOLDER has the WSDL with its schemas and two files: answer.json, what the next call gets, {"value": ...} or
// {"fault": {"detail", "code", "words"}}; and seen.json, operation, input and headers of the last call as PHP reads them.
// PEER_LOGIN is the user name and the password in base64, as they stand in the header.

$folder = $_SERVER['DOCUMENT_ROOT'];
$file = $folder . '/' . basename(parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH));
if ($_SERVER['REQUEST_METHOD'] === 'GET' && str_ends_with($file, '.xsd')) {
    header('Content-Type: text/xml');
    readfile($file);
    return;
}
if (($_SERVER['HTTP_AUTHORIZATION'] ?? '') !== 'Basic ' . getenv('PEER_LOGIN')) {
    http_response_code(401);
    header('WWW-Authenticate: Basic realm="peer"');
    return;
}

class Service
{
    private array $headers = [];

    public function __construct(private string $folder)
    {
    }

    // PHP calls what it knows by the name of a header too.
    public function Action(string $text): void
    {
        $this->headers['Action'] = $text;
    }

    public function MessageID(string $text): void
    {
        $this->headers['MessageID'] = $text;
    }

    public function To(string $text): void
    {
        $this->headers['To'] = $text;
    }

    public function __call(string $name, array $inputs): mixed
    {
        $seen = json_encode([$name, $inputs[0], $this->headers], JSON_THROW_ON_ERROR | JSON_PRESERVE_ZERO_FRACTION);
        file_put_contents("$this->folder/seen.json", $seen);
        $answer = json_decode(file_get_contents("$this->folder/answer.json"), false, 512, JSON_THROW_ON_ERROR);
        if (isset($answer->fault)) {
            $detail = new stdClass();
            $detail->{$answer->fault->detail} = ['ErrorCode' => $answer->fault->code, 'ErrorMsg' => $answer->fault->words];
            throw new SoapFault('Client', 'in other words', null, $detail, $answer->fault->detail . 'Fault');
        }
        return $answer->value;
    }
}

ini_set('soap.wsdl_cache_enabled', '0');
ini_set('precision', '17'); // or doubles lose their last digits
$server = new SoapServer("$folder/CommonFcd.wsdl", ['soap_version' => SOAP_1_2, 'features' => SOAP_SINGLE_ELEMENT_ARRAYS]);
$server->setObject(new Service($folder));
$server->handle();
