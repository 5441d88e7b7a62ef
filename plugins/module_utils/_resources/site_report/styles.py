# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The style of the page: light and dark, wide and narrow, on paper; no picture and no font is loaded."""

from __future__ import annotations

STYLES = """
:root {
  --page: #f3f5f8; --card: #ffffff; --ink: #16202b; --soft: #4f5d6b; --sunk: #f6f8fa;
  --line: #dbe1e8; --edge: #818e9b;
  --accent: #1f4fbf; --shadow: 0 1px 2px rgb(22 32 43 / 6%), 0 4px 16px rgb(22 32 43 / 5%);
  --create: #0b6a3c; --create-tint: #e2f4e9; --create-fill: #2fa56b;
  --update: #855000; --update-tint: #fcf0d4; --update-fill: #e0a021;
  --delete: #a8261c; --delete-tint: #fce6e3; --delete-fill: #d9534a;
  --orphan: #65399b; --orphan-tint: #f0e8fb; --orphan-fill: #9a6dd7;
  --error: #a8261c; --error-tint: #fce6e3; --error-fill: #8c1d16;
  --same: #4f5d6b; --same-tint: #edf0f4; --same-fill: #c6ced8;
  --old-mark: #f7c4bf; --new-mark: #b5e3c7;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0d1218; --card: #151c24; --ink: #e4eaf1; --soft: #9fadbb; --sunk: #10161d;
    --line: #2a3540; --edge: #6b7986;
    --accent: #9bb8ff; --shadow: 0 1px 2px rgb(0 0 0 / 40%);
    --create: #7adba5; --create-tint: #11301f; --create-fill: #3fa970;
    --update: #f0c46c; --update-tint: #35290d; --update-fill: #c8922c;
    --delete: #ff9f96; --delete-tint: #3b1714; --delete-fill: #d4574d;
    --orphan: #cdb1f6; --orphan-tint: #2a1e3d; --orphan-fill: #8f68c6;
    --error: #ff9f96; --error-tint: #3b1714; --error-fill: #ff7a6e;
    --same: #9fadbb; --same-tint: #202934; --same-fill: #3c4956;
    --old-mark: #6b2a24; --new-mark: #1d5a38;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: 1rem; }
body {
  margin: 0; background: var(--page); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", sans-serif;
}
h1, h2, h3, p, dl, dd, ul, figure { margin: 0; padding: 0; }
ul { list-style: none; }
[hidden] { display: none !important; }
a { color: var(--accent); text-underline-offset: .22em; text-decoration-thickness: 1px; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
.unseen, .skip:not(:focus) {
  position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap;
}
.skip:focus { position: absolute; z-index: 1; left: 1rem; top: 1rem; padding: .5rem 1rem; background: var(--card); }
.inside, main { max-width: 70rem; margin: 0 auto; padding: 0 1.5rem; }
header { padding: 2.25rem 0 1.25rem; }
.above { color: var(--soft); font-size: .875rem; }
.mode { font-weight: 650; text-transform: uppercase; letter-spacing: .08em; font-size: .8125rem; color: var(--accent); }
h1 { font-size: 1.875rem; line-height: 1.25; font-weight: 700; letter-spacing: -.015em; overflow-wrap: anywhere; }
.chip {
  display: inline-block; vertical-align: .25em; margin-left: .375rem; padding: .0625rem .625rem; border-radius: 99px;
  font-size: .8125rem; font-weight: 550; letter-spacing: 0; color: var(--soft); border: 1px solid var(--line);
  background: var(--card); max-width: 100%; overflow-wrap: anywhere;
}
.card {
  background: var(--card); border: 1px solid var(--line); border-radius: 14px; box-shadow: var(--shadow);
  padding: 1.5rem; margin-bottom: 1.25rem;
}
h2 { font-size: 1.1875rem; line-height: 1.35; font-weight: 650; letter-spacing: -.005em; }
h3 { font-size: 1rem; font-weight: 650; }
.count { color: var(--soft); font-weight: 500; font-variant-numeric: tabular-nums; }
.headline { display: flex; align-items: center; gap: 1rem; }
.headline h2 { font-size: 1.5rem; line-height: 1.25; letter-spacing: -.015em; overflow-wrap: anywhere; }
.says p { color: var(--soft); }
.sign {
  flex: none; display: grid; place-items: center; width: 3.25rem; height: 3.25rem; border-radius: 50%;
  font-size: 1.625rem; font-weight: 700; line-height: 1; color: var(--update); background: var(--update-tint);
}
.clean .sign { color: var(--create); background: var(--create-tint); }
.error .sign { color: var(--error); background: var(--error-tint); }
.proportions {
  display: block; width: 100%; height: .625rem; margin: 1.25rem 0 1rem; border-radius: 99px; overflow: hidden;
}
rect.create, rect.clean { fill: var(--create-fill); } rect.update, rect.drift { fill: var(--update-fill); }
rect.delete { fill: var(--delete-fill); } rect.orphan { fill: var(--orphan-fill); }
rect.error { fill: var(--error-fill); } rect.unchanged { fill: var(--same-fill); }
.tiles { display: grid; grid-template-columns: repeat(6, 1fr); gap: .625rem; }
.tile { padding: .625rem .875rem .5rem; border-radius: 10px; border: 1px solid transparent; }
.tile dt { font-size: .8125rem; font-weight: 550; white-space: nowrap; }
.tile dd { font-size: 1.625rem; line-height: 1.2; font-weight: 700; font-variant-numeric: tabular-nums; }
.mark { font-family: var(--mono); font-weight: 700; }
.create { color: var(--create); } .update { color: var(--update); } .delete { color: var(--delete); }
.orphan { color: var(--orphan); } .error { color: var(--error); } .unchanged { color: var(--same); }
.tile.create, .badge.create { background: var(--create-tint); }
.tile.update, .badge.update { background: var(--update-tint); }
.tile.delete, .badge.delete { background: var(--delete-tint); }
.tile.orphan, .badge.orphan { background: var(--orphan-tint); }
.tile.error { background: var(--error-tint); } .tile.unchanged { background: var(--same-tint); }
.tile.zero { background: none; border-color: var(--line); color: var(--soft); }
.tile.zero dd { font-weight: 450; }
.headline.error { color: inherit; }
table { border-collapse: collapse; width: 100%; font-size: .9375rem; }
th { text-align: start; font-weight: 550; }
.numbers th, .numbers td { padding: .4375rem .625rem; border-bottom: 1px solid var(--line); }
.numbers tbody tr:last-child > * { border-bottom: 0; }
.numbers thead th { font-size: .8125rem; color: var(--soft); }
.numbers td, .numbers thead th:not(:first-child) { text-align: end; font-variant-numeric: tabular-nums; }
.numbers td { font-weight: 600; }
.numbers td.zero, .numbers td.unchanged { color: var(--soft); font-weight: 400; }
.numbers .mark { margin-right: .375rem; }
.kinds { margin-top: 1.25rem; }
.kinds th:first-child, .kinds th[scope=row] { padding-left: 0; }
.kinds td:last-child, .kinds thead th:last-child { padding-right: 0; }
.note { color: var(--soft); font-size: .9375rem; margin-top: .75rem; }
.errors { border-color: var(--error); }
.failures li { padding: .875rem 0 .125rem; }
.failures li + li { border-top: 1px solid var(--line); margin-top: .875rem; }
.failures .kind { color: var(--soft); font-size: .875rem; margin-right: .25rem; }
.name { font-weight: 600; overflow-wrap: anywhere; min-width: 0; }
.source { font: .8125rem/1.4 var(--mono); color: var(--soft); overflow-wrap: anywhere; }
.message, .step { margin-top: .25rem; white-space: pre-wrap; overflow-wrap: anywhere; text-align: left; }
.message { color: var(--error); }
#filter {
  display: grid; grid-template-columns: 1fr 11rem 9rem auto; gap: .625rem .75rem; align-items: end;
  margin-top: 1rem; padding: .875rem; border-radius: 10px; background: var(--sunk); border: 1px solid var(--line);
}
label { display: block; font-size: .8125rem; font-weight: 550; color: var(--soft); margin-bottom: .1875rem; }
input, select, button {
  font: inherit; font-size: .9375rem; color: var(--ink); background: var(--card); width: 100%; min-height: 2.375rem;
  border: 1px solid var(--edge); border-radius: 8px; padding: .25rem .625rem;
}
button { cursor: pointer; font-weight: 550; white-space: nowrap; }
button:hover { border-color: var(--accent); color: var(--accent); }
.buttons { display: flex; gap: .5rem; }
#told { grid-column: 1 / -1; color: var(--soft); font-size: .875rem; }
.group { margin-top: 1.5rem; }
.group h3 { padding-bottom: .375rem; }
.group ul { border: 1px solid var(--line); border-radius: 10px; overflow: hidden; }
.change + .change { border-top: 1px solid var(--line); }
summary { cursor: pointer; }
.change summary {
  display: flex; align-items: baseline; gap: .25rem .625rem; padding: .5625rem .875rem; list-style: none;
}
.change summary::-webkit-details-marker { display: none; }
.change summary::before {
  content: ""; flex: none; align-self: center; width: .4375rem; height: .4375rem; margin-right: .125rem;
  border: solid var(--soft); border-width: 0 2px 2px 0; transform: rotate(-45deg);
}
.change details[open] > summary::before { transform: rotate(45deg); }
.change summary:hover { background: var(--sunk); }
.change summary:focus-visible { outline-offset: -3px; }
.change details[open] > summary { background: var(--sunk); border-bottom: 1px solid var(--line); }
.badge {
  flex: none; min-width: 6rem; padding: .0625rem .5rem; border-radius: 6px; font-size: .8125rem; font-weight: 600;
}
.about { color: var(--soft); font-size: .875rem; overflow-wrap: anywhere; min-width: 5rem; }
.change .source {
  margin-inline-start: auto; padding-inline-start: .5rem; text-align: end; flex: 0 1 auto; max-width: 40%;
}
.content { padding: .75rem .875rem 1rem; }
.sentence { color: var(--soft); font-size: .9375rem; }
.options { margin-top: .5rem; table-layout: fixed; border-spacing: 0; }
.options th, .options td { padding: .3125rem .625rem; vertical-align: top; overflow-wrap: anywhere; }
.options thead th { font-size: .8125rem; color: var(--soft); }
.options tbody tr { border-top: 1px solid var(--line); }
.options tbody th { font: 500 .8125rem/1.6 var(--mono); padding-left: 0; }
.options thead th:first-child { width: 26%; padding-left: 0; }
.options td { font: .8125rem/1.6 var(--mono); }
.value { white-space: pre-wrap; unicode-bidi: isolate; }
.both td.old { background: var(--delete-tint); } .both td.new { background: var(--create-tint); }
.one td { color: inherit; }
mark { color: inherit; border-radius: 3px; padding: 0 .0625rem; }
.old mark { background: var(--old-mark); } .new mark { background: var(--new-mark); }
.nothing, .later { color: var(--soft); font-style: italic; }
.both td .nothing, .both td .later { color: var(--ink); }
.chart { display: grid; grid-template-columns: auto 1fr; gap: .25rem .625rem; margin-top: 1rem; }
.chart svg { grid-column: 2; width: 100%; height: 7rem; border-bottom: 1px solid var(--soft); }
.scale { grid-column: 1; display: flex; flex-direction: column; justify-content: space-between; text-align: end; }
.days { grid-column: 2; display: flex; justify-content: space-between; }
.scale, .days { color: var(--soft); font-size: .8125rem; font-variant-numeric: tabular-nums; }
figcaption { margin: .75rem 0 .375rem; }
figure details { color: var(--soft); font-size: .9375rem; }
figure details .wide { max-height: 24rem; overflow: auto; color: var(--ink); margin-top: .5rem; }
footer { color: var(--soft); font-size: .8125rem; padding: .5rem 0 2.5rem; }
footer dl { display: flex; flex-wrap: wrap; gap: .125rem 1.5rem; margin-bottom: .25rem; }
footer dl div { display: flex; gap: .375rem; min-width: 0; }
footer dt { font-weight: 550; }
footer dd { font-family: var(--mono); overflow-wrap: anywhere; min-width: 0; }
@media (max-width: 44rem) {
  .inside, main { padding: 0 .875rem; }
  header { padding: 1.25rem 0 .875rem; }
  h1 { font-size: 1.5rem; }
  .card { padding: 1rem; border-radius: 12px; }
  .headline { gap: .75rem; }
  .headline h2 { font-size: 1.25rem; }
  .sign { width: 2.5rem; height: 2.5rem; font-size: 1.25rem; }
  .tiles { grid-template-columns: repeat(3, 1fr); gap: .5rem; }
  .tile { padding: .5rem .5rem .375rem; }
  .tile dt { font-size: .75rem; white-space: nowrap; letter-spacing: -.01em; }
  .tile dd { font-size: 1.375rem; }
  .kinds thead th:not(:first-child) .word {
    position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap;
  }
  .kinds .mark { margin: 0; font-size: 1rem; }
  .numbers th, .numbers td { padding: .375rem .375rem; }
  #filter { grid-template-columns: 1fr 1fr; }
  #filter .search, #filter .buttons { grid-column: 1 / -1; }
  .change summary { flex-wrap: wrap; padding: .625rem .75rem; }
  .badge { min-width: 0; }
  .change .name { flex: 1 1 55%; }
  .change .about, .change .source {
    flex: 1 0 100%; max-width: none; margin: 0; padding: 0 0 0 1.3125rem; text-align: start;
  }
  .content { padding: .625rem .75rem .875rem; }
  .options thead th:first-child { width: 46%; }
  .options tbody th, .options td { font-size: .75rem; }
  .both, .both tbody, .both tr, .both th, .both td { display: block; width: auto; }
  .both thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .both tbody tr { padding: .5rem 0; }
  .both tbody th { padding: 0 0 .25rem; }
  .both td::before {
    content: attr(data-side); display: block; font: 500 .75rem/1.4 system-ui, sans-serif; color: var(--soft);
  }
  .both td.old { border-radius: 6px 6px 0 0; } .both td.new { border-radius: 0 0 6px 6px; }
}
@media (prefers-reduced-motion: no-preference) {
  .change summary::before { transition: transform .12s; }
}
@media (forced-colors: active) {
  .badge, .tile, mark, .options td { border: 1px solid; }
  rect { forced-color-adjust: none; }
}
@media print {
  :root {
    --page: #fff; --card: #fff; --ink: #000; --soft: #333; --line: #999; --sunk: #fff; --accent: #000;
    --shadow: none;
  }
  body { font-size: 11pt; }
  #filter, .skip, figure details { display: none !important; }
  .inside, main { max-width: none; padding: 0; }
  .card { border: 0; padding: 0; margin-bottom: 1.5em; border-radius: 0; }
  .change { break-inside: avoid; }
  .change summary::before { display: none; }
  h2, h3 { break-after: avoid; }
  .badge, .tile, td, mark, rect, .sign { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
"""
