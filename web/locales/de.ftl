### Texte der Seite auf Deutsch. Sätze der Engine und des Proxys bleiben englisch.

## Page

ask-a-question = Frage stellen
question = Frage
ask-in-plain-words = Fragen Sie auf Englisch
ask = Fragen
composer-hint = Eingabetaste: fragen, Umschalt+Eingabetaste: neue Zeile
composer-queued = Wird geladen … Die Frage wird danach gestellt.
bytes-used = { $used } von { $limit } Byte
not-loaded = Nicht geladen
loading = Wird geladen …
conversation = Unterhaltung
questions-and-answers = Fragen und Antworten
skip-to-question = Zur Frage springen
side-panel = Seitenleiste
data-source = Datenquelle:
means = bedeutet
saved-as = Gespeichert als { $name }
file-blocked = Der Browser hat die Datei blockiert
copying-blocked = Der Browser hat das Kopieren blockiert
close = Schließen
retry = Erneut versuchen
undo = Rückgängig
taken-back = Rückgängig gemacht
stop = Abbrechen

## Introduction

not-run-notice = Zu diesem Katalog gehört keine Datenbank: Fragen werden in SQL übersetzt, aber nicht ausgeführt.
empty-title = Stellen Sie Ihren Daten eine Frage
empty-lead = Fragen Sie in einfachem Englisch. Schon beim Tippen sehen Sie, wie die Frage verstanden wird. Ist sie mehrdeutig, werden Sie gefragt, was Sie meinen, bevor eine Abfrage läuft.
suggestions = Vorschläge
suggestions-of = Vorschläge: { $area }
and-more = und { $count } weitere
tables = Tabellen
questions-to-begin-with = Fragen für den Anfang
follow-up-questions = Vorgeschlagene Anschlussfragen

## Preview

how-understood = So wird die Frage verstanden
confidence = Gewissheit
understood-as = Verstanden als
reasons-and-sql = Begründung und SQL-Vorschau
not-read-yet = Noch nicht gelesen
reading = Wird gelesen …
cannot-be-answered = so nicht zu beantworten
needs-one-answer = zuerst eine Rückfrage
needs-answers = zuerst Rückfragen
confidence-line = { $percent } % – { $word }
asks = Rückfrage
not-understood = nicht verstanden
nothing-understood = Noch nichts verstanden
could-also-be = Möglich wäre auch { $rivals }.
sql-later = Das SQL wird geschrieben, sobald alle Rückfragen beantwortet sind.
clear = eindeutig
likely = wahrscheinlich
unsure = unsicher
kind-is = ({ $kind }):
kind-calculation = Berechnung
kind-column = Spalte
kind-comparison = Vergleich
kind-grouping = Gruppierung
kind-limit = Zeilenzahl
kind-number = Zahl
kind-order = Sortierung
kind-table = Tabelle
kind-time = Zeit
kind-vague = braucht eine Definition
kind-value = gespeicherter Wert
kind-term = Begriff
kind-metric = Kennzahl
kind-condition = Bedingung
kind-period = Zeitraum
kind-question = Frage
kind-value-short = Wert
continuations = Fortsetzungen
continuations-offered =
    { $count ->
        [one] 1 Fortsetzung
       *[other] { $count } Fortsetzungen
    }. Tab übernimmt { $first }.
continuation-keys = Tab übernimmt, Pfeiltasten wählen aus, Esc schließt
asks-back = mit Rückfrage

## Clarifications

filter-options = Optionen filtern
remember-this = Merken
recommended = Empfohlen
choose-for-me = Für mich auswählen
enter-a-value = Wert eingeben
something-else = Etwas anderes …
choose-all-for-me = Alles für mich auswählen
keep-as-it-is = Unverändert lassen
go-on = Weiter
question-about-was = Die Rückfrage zu { $phrase } war
the-question-was = Die Rückfrage war
helpful = hilfreich
needless = unnötig
marked-helpful = Als hilfreich markiert
marked-needless = Als unnötig markiert: Diese Rückfrage wird seltener gestellt
from = Von
to-inclusive = Bis (einschließlich)
in-your-own-words = In eigenen Worten (Englisch)
equal-to = gleich
more-than = größer als
at-least = mindestens
less-than = kleiner als
at-most = höchstens
not-equal-to = ungleich
choose-an-option = Wählen Sie eine der Optionen.
enter-a-day = Geben Sie den ersten Tag, den letzten Tag oder beide ein.
days-in-wrong-order = Der erste Tag liegt nach dem letzten.
enter-a-number = Geben Sie eine Zahl ein.
enter-at-least = Geben Sie eine Zahl von mindestens { $minimum } ein.
enter-at-most = Geben Sie eine Zahl von höchstens { $maximum } ein.
enter-a-text = Geben Sie einen Text ein.
chosen = Ausgewählt
round-of = Runde { $round } von höchstens { $rounds }
understood-so-far = Bisher verstanden:

## Answer

edit-question = Frage bearbeiten
nothing-matches = Keine Treffer.
notes = Hinweise
assumptions =
    { $count ->
        [one] 1 Annahme
       *[other] { $count } Annahmen
    }
change = Ändern
change-meaning = Ändern – { $phrase }: { $meaning }
forget = Vergessen
forgotten = Wurde vergessen
forget-meaning = Vergessen – { $phrase }: { $meaning }
from-memory = aus dem Gedächtnis
source-best-guess = beste Vermutung
source-budget = nicht gefragt: Höchstzahl der Rückfragen erreicht
source-corrected = korrigiert
source-model = vom Modell angenommen
source-chosen = ausgewählt
source-default = Vorgabe
how-words-were-read = So wurden die Wörter verstanden
words = Wörter
clause = Teil der Abfrage
sql-statement = SQL-Anweisung
copy-sql = SQL kopieren
sql-copied = SQL kopiert
what-sql-does = Was die Anweisung tut
writing-steps = Abfrage wird geschrieben
in-the-database = , davon { $time } in der Datenbank
steps-and-time = Schritte und Dauer
confidence-sentence = Gewissheit { $percent } % ({ $word }).
took = Dauer: { $time }
under-a-millisecond = unter 1 ms
milliseconds = { $time } ms
seconds = { $time } s
kept = Beibehalten: { $parts }
changed = Geändert: { $parts }
about = Betrifft:

## States of a question

running-said = Die Abfrage läuft.
answer-ready = Antwort liegt vor: { $rows }.
stopped-said = Abgebrochen.
answer = Antwort
done = Fertig
stage-failed = { $stage } fehlgeschlagen.
not-run-yet = Noch nicht ausgeführt.
estimate = Die Datenbank erwartet etwa { $count } Zeilen in einem Schritt ({ $step }); das kann lange dauern. Fragen Sie nach einem kürzeren Zeitraum oder weniger Tabellen, oder führen Sie die Abfrage trotzdem aus.
run-anyway = Trotzdem ausführen
no-query-written = Es wurde keine Abfrage geschrieben.
out-of-scope = Diese Daten geben darauf keine Antwort.
questions-first =
    { $count ->
        [one] Zuerst eine Rückfrage.
       *[other] Zuerst { $count } Rückfragen.
    }
running = Die Abfrage läuft …
question-failed = Die Frage konnte nicht beantwortet werden.
writing = Die Abfrage wird geschrieben …
checking = Die Abfrage wird geprüft …
repairing = Die Abfrage wird korrigiert …
reading-question = Die Frage wird gelesen …
badge-answered = Beantwortet
badge-query-failed = Abfrage fehlgeschlagen
badge-not-run = Nicht ausgeführt
badge-no-query = Keine Abfrage
badge-asks = Rückfrage
badge-outside = Nicht in diesen Daten
badge-stopped = Abgebrochen
badge-failed = Fehlgeschlagen
badge-working = In Arbeit
stage-checking = Prüfen der Abfrage
stage-running = Ausführen der Abfrage
stage-understanding = Verstehen der Frage
stage-values = Suche nach gespeicherten Werten
stage-writing = Schreiben der Abfrage

## Table

empty = leer
is-true = wahr
is-false = falsch
show-all = (alles anzeigen)
filter-rows = Geladene Zeilen filtern
cut = gekürzt
cut-title = Gekürzt: Der ganze Wert hat { $length } Byte
whole-value = Ganzer Wert
copy-value = Wert kopieren
value-copied = Wert kopiert
in-order-of-result = { $size }, in der Reihenfolge des Ergebnisses
result-table = Ergebnistabelle: { $question }
rows-for = Zeilen zu: { $question }
rows =
    { $count ->
        [one] 1 Zeile
       *[other] { $count } Zeilen
    }
first-rows = die ersten { $rows } von mehr als { $rows } Zeilen
found-rows = { $found } von { $total } geladenen Zeilen
among-fetched = { $size }, { $order } (nur geladene Zeilen)
sorted-by = sortiert nach { $column }, { $order }
smallest-first = kleinste zuerst
largest-first = größte zuerst
earliest-first = früheste zuerst
latest-first = späteste zuerst
a-to-z = A bis Z
z-to-a = Z bis A

## Files

rows-as-file = Zeilen als Datei
copy-table = Tabelle kopieren
table-copied = Tabelle kopiert
save-as = Als { $form } speichern
stop-fetching = Abruf abbrechen
more-rows-in-files = Excel-, Parquet- und Arrow-Dateien werden mit mehr Zeilen abgerufen.
only-first-rows = CSV- und JSON-Dateien enthalten nur die ersten { $rows } Zeilen.
cut-cells-in-file = Gekürzte Zellen sind auch in der Datei gekürzt.
only-first-cut-rows = CSV- und JSON-Dateien enthalten nur die ersten { $rows } Zeilen; zu lange Zellen sind gekürzt.
fetching = Die { $form }-Datei wird abgerufen …
fetch-stopped = Abgebrochen: Die { $form }-Datei wurde nicht gespeichert.
only-first-in-file = Die { $form }-Datei enthält nur die ersten { $rows } Zeilen.
last-batch = Ob Zeilen fehlen, steht im letzten Batch der Arrow-Datei.
cut-in-file =
    gekürzt: { $count ->
        [one] 1 Zelle ist zu lang und endet auf …
       *[other] { $count } Zellen sind zu lang und enden auf …
    }
truncated-file =
    unvollständig: nur { $rows ->
        [one] die erste Zeile ist enthalten
       *[other] die ersten { $rows } Zeilen sind enthalten
    }
cells-cut =
    { $count ->
        [one] 1 Zelle ist zu lang und wurde gekürzt.
       *[other] { $count } Zellen sind zu lang und wurden gekürzt.
    }
database-busy = die Datenbank ist ausgelastet; versuchen Sie es gleich noch einmal
took-too-long = es hat zu lange gedauert; fragen Sie nach weniger Zeilen
try-again = { $reason }; versuchen Sie es noch einmal
file-not-saved = die { $form }-Datei wurde nicht gespeichert: { $reason }{ $request }
request-id = (Anfrage { $id })

## Charts

chart = Diagramm
view-of-rows = Ansicht der Zeilen
chart-and-table = Mit Diagramm
table-only = Nur Tabelle
chart-as-file = Diagramm als Datei
bars = Balken
grouped-bars = Gruppierte Balken
line = Linie
lines = Linien
scatter-plot = Streudiagramm
stacked-bars = Gestapelte Balken
parts-of-whole = Anteile an 100 %
chart-of = { $kind }: { $measure }
by-groups = { $measure } nach { $groups }
and = und
measure = Messgröße
million = Mio.
billion = Mrd.
extremes = höchster Wert { $most } ({ $most-place }), niedrigster { $least } ({ $least-place })
all-at = alle bei { $value }
said-bars = Balkendiagramm, { $shown }: { $count } Balken, { $extremes }
said-whole = Balkendiagramm, { $shown }: { $count } Anteile an 100 %, { $extremes }
said-scatter = Streudiagramm, { $shown }: { $count } Punkte, { $extremes }
said-line = Liniendiagramm, { $shown }: { $count } Punkte von { $first } bis { $last }, { $extremes }
said-lines = Liniendiagramm, { $shown }: { $count } Linien ({ $names }) von { $first } bis { $last }, { $extremes }
said-grouped = Balkendiagramm, { $shown }: { $categories } Gruppen mit bis zu { $count } Balken ({ $names }), { $extremes }
said-stacked = Gestapeltes Balkendiagramm, { $shown }: { $categories } Balken mit bis zu { $count } Teilen ({ $names }), { $extremes }
rows-left-out = { $said }; { $count ->
        [one] 1 Zeile ohne Zahl fehlt
       *[other] { $count } Zeilen ohne Zahl fehlen
    }.

## History

search-history = Frühere Fragen durchsuchen
earlier-questions = Frühere Fragen
no-history-kept = Der Server bewahrt keine früheren Fragen auf.
no-earlier-questions = Keine früheren Fragen.
no-question-found = Keine frühere Frage enthält diese Wörter.
questions =
    { $count ->
        [one] 1 Frage
       *[other] { $count } Fragen
    }
questions-found = { $found } von { $count ->
        [one] 1 Frage
       *[other] { $count } Fragen
    }
deleted = Gelöscht:
deleted-said = { $title } gelöscht. Das lässt sich rückgängig machen.
after-question = nach: { $first }
corrected-to = korrigiert: { $corrections }
join-with = { $left } mit { $right } verknüpfen
not-this = nicht { $name }
not-decided = nicht entschieden
note-stopped = abgebrochen
not-answered = nicht beantwortet
pinned = Angeheftet
actions-for = Aktionen für { $title }
pin = Anheften
unpin = Lösen
rename = Umbenennen
delete = Löschen
name-in-browser = Name, nur in diesem Browser
save-name = Namen speichern

## Side panel

tab-history = Verlauf
tab-data = Daten
tab-memory = Gedächtnis
tab-settings = Optionen
search-schema = Tabellen und Spalten durchsuchen
no-tables = Der Katalog hat keine Tabellen.
no-table-found = Keine Tabelle oder Spalte enthält diese Wörter.
first-tables = Die ersten { $listed } von { $found } Tabellen
tables-found = { $found } von { $count ->
        [one] 1 Tabelle
       *[other] { $count } Tabellen
    }
values-unread =
    { $count ->
        [one] Die Werte von 1 Tabelle sind noch nicht aufgelistet. Fragen suchen sie in der Datenbank.
       *[other] Die Werte von { $count } Tabellen sind noch nicht aufgelistet. Fragen suchen sie in der Datenbank.
    }
tables-count =
    { $count ->
        [one] 1 Tabelle
       *[other] { $count } Tabellen
    }
referred-to-by = Darauf verweisen
put-into-question = { $words } in die Frage einfügen
columns-of = Spalten von { $table }
type-boolean = ja oder nein
type-date = Datum
type-integer = ganze Zahl
type-number = Zahl
type-text = Text
type-time = Uhrzeit
type-timestamp = Datum und Uhrzeit
type-in-unit = { $kind } in { $unit }
type-key = { $kind }, Schlüssel
type-optional = { $kind }, optional
type-unlisted = { $kind }, Werte werden nie aufgelistet

## Memory

nothing-remembered = Noch ist nichts gemerkt. Was Sie bei Rückfragen auswählen, wird hier aufgelistet.
remembered-choices = Gemerkte Antworten
needless-questions = Unnötige Rückfragen
lessons = Gelerntes
save-as-json = Als JSON speichern
forget-all = Alles vergessen
forgotten-said = Vergessen: { $phrase }. Das lässt sich rückgängig machen.
all-forgotten = Alles ist vergessen. Das lässt sich rückgängig machen.
always-use = Immer verwenden
always-used = Wird immer verwendet
always-use-this = Immer verwenden: { $about }
forget-this = Vergessen: { $about }
no-longer-asked = wird nicht mehr gefragt
asked-less = wird seltener gefragt
marked-needless-times = { $times } als unnötig markiert; { $effect }
a-correction = einer Korrektur
a-repair = einer Reparatur
error-of-model = Fehler eines Modells
not-used-yet = noch nicht verwendet
used-right = { $times } verwendet, { $successes } richtig
learned-from = aus { $source } gelernt; { $used }
times =
    { $count ->
        [one] einmal
       *[other] { $count }-mal
    }
choices-count =
    { $count ->
        [one] 1 gemerkte Antwort
       *[other] { $count } gemerkte Antworten
    }
needless-count =
    { $count ->
        [one] 1 Rückfrage
       *[other] { $count } Rückfragen
    } als unnötig markiert
lessons-count =
    { $count ->
        [one] 1 Regel gelernt
       *[other] { $count } Regeln gelernt
    }
applies-always = wird immer verwendet
applies-mostly = wird verwendet, wenn meistens ausgewählt
applies-from = wird nach { $count }-maliger Auswahl verwendet
chosen-times = { $times } ausgewählt, zuletzt am { $day }; { $applies }

## Settings

language = Sprache
as-the-system = Wie das System
theme = Darstellung
light = Hell
dark = Dunkel
density = Zeilenabstand
comfortable = Großzügig
compact = Kompakt
ask-what-is-meant = Rückfragen
rows-of-answer = Zeilen pro Antwort
limit-of-server = { $rows } (Höchstzahl des Servers)
settings-note = Die Optionen bleiben in diesem Browser. Rückfragen und Zeilenzahl gelten ab der nächsten Frage.
ask-often = Oft, auch wenn es fast eindeutig ist
ask-as-server = Wie auf dem Server eingestellt
ask-once = Höchstens eine Rückfrage
ask-never = Nie, beste Vermutung nehmen

## Problems of the page

check-connection = Prüfen Sie die Verbindung zum Server und versuchen Sie es erneut.
check-server = Prüfen Sie, ob der Server läuft und erreichbar ist, und versuchen Sie es erneut.
newer-server = Der Server ist vielleicht neuer als diese Seite. Laden Sie die Seite neu, um die aktuelle Fassung zu erhalten.
retry-in-a-moment = Versuchen Sie es gleich noch einmal. Besteht das Problem weiter, wenden Sie sich an den Betreiber des Servers.
try-again-soon = Versuchen Sie es gleich noch einmal.
change-or-call-operator = Ändern Sie die Frage, oder wenden Sie sich an die Person, die die Datenquelle betreibt.
engine-not-loaded = Die Engine ließ sich nicht laden
catalog-not-loaded = Der Katalog ließ sich nicht laden
failure-details = { $code } · Status { $status } · Anfrage { $id }
server-silent = der Server hat nicht geantwortet
connection-broken = die Verbindung endete, bevor die Datei vollständig war
unreadable = diese Fassung der Seite kann { $what } nicht lesen: { $error }
engine-failure = die Engine der Seite ließ sich nicht laden: { $error }
status-failure = der Server antwortete mit Status { $status }
what-catalog = den Katalog
what-values = die Werte
what-statement = die Anweisung
what-question = die Frage
what-memory = das Gedächtnis
what-choices = die Antworten
what-mark = die Markierung
what-history = den Verlauf
what-response = die Antwort des Servers
