// Copyright (c) 2026, FCD collection contributors
// GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
// SPDX-License-Identifier: GPL-3.0-or-later

import com.sun.net.httpserver.BasicAuthenticator;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpServer;
import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.bind.JAXBContext;
import javax.xml.transform.Source;
import javax.xml.transform.stream.StreamSource;
import javax.xml.ws.Endpoint;

/**
 * The JAX-WS reference implementation with the classes that it has made of the WSDL: java Server PORT FOLDER.
 *
 * <p>FOLDER has answer.xml, the response element that the next call gets, or fault.txt, the lines kind, code and words;
 * and seen.xml, the input of the last call as JAXB writes it again. PEER_USER and PEER_PASSWORD are the login. It ends
 * with its standard input.
 */
public final class Server {
    private static Path folder;
    private static JAXBContext context;

    private Server() {}

    public static void main(String[] arguments) throws Exception {
        folder = Path.of(arguments[1]);
        context = JAXBContext.newInstance("peer");
        HttpServer http = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[0])), 0);
        HttpContext place = http.createContext("/CommonFcd.svc");
        place.setAuthenticator(new BasicAuthenticator("peer", StandardCharsets.UTF_8) {
            @Override
            public boolean checkCredentials(String user, String password) {
                return user.equals(System.getenv("PEER_USER")) && password.equals(System.getenv("PEER_PASSWORD"));
            }
        });
        Endpoint endpoint = Endpoint.create(new Implementation());
        endpoint.setMetadata(schemas()); // or it would not serve what its WSDL imports
        endpoint.publish(place);
        http.start();
        while (System.in.read() >= 0) {
            // whoever started this still lives
        }
        System.exit(0);
    }

    private static List<Source> schemas() throws IOException {
        List<Source> found = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.xsd")) {
            for (Path file : files) {
                found.add(new StreamSource(Files.newInputStream(file), file.toUri().toString()));
            }
        }
        return found;
    }

    /** Note the input and return the answer, or throw the fault. */
    static <T> T answer(Object input, Class<T> output) {
        try {
            context.createMarshaller().marshal(input, folder.resolve("seen.xml").toFile());
            Path fault = folder.resolve("fault.txt");
            if (Files.exists(fault)) {
                throw thrown(Files.readAllLines(fault));
            }
            File answer = folder.resolve("answer.xml").toFile();
            return output.cast(context.createUnmarshaller().unmarshal(answer));
        } catch (Exception problem) {
            throw Server.<RuntimeException>unchecked(problem);
        }
    }

    private static Exception thrown(List<String> fault) throws Exception {
        Class<?> kind = Class.forName("peer." + fault.get(0));
        Object detail = kind.getDeclaredConstructor().newInstance();
        kind.getMethod("setErrorCode", Integer.class).invoke(detail, Integer.valueOf(fault.get(1)));
        Object words = peer("ObjectFactory").getClass()
                .getMethod("create" + fault.get(0) + "ErrorMsg", String.class)
                .invoke(peer("ObjectFactory"), fault.get(2));
        kind.getMethod("setErrorMsg", words.getClass()).invoke(detail, words);
        Class<?> exception = Class.forName("peer.ICommonFcd" + fault.get(0) + "FaultFaultMessage");
        return (Exception) exception.getConstructor(String.class, kind).newInstance("in other words", detail);
    }

    private static Object peer(String name) throws Exception {
        return Class.forName("peer." + name).getDeclaredConstructor().newInstance();
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> E unchecked(Throwable problem) throws E {
        throw (E) problem;
    }
}
