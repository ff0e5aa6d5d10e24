### Texts of the page. `web/build.rs` checks that each locale has the same messages and arguments.
### What the engine and the proxy say is not here: it is English in every language.

## Page

ask-a-question = Ask a question
question = Question
ask-in-plain-words = Ask in plain words
ask = Ask
composer-hint = Enter to ask, Shift+Enter for a new line
composer-queued = Loading… The question will be asked then.
bytes-used = { $used } of { $limit } bytes
not-loaded = Not loaded
loading = Loading…
conversation = Conversation
questions-and-answers = Questions and answers
skip-to-question = Skip to the question
side-panel = Side panel
data-source = Data source:
means = means
saved-as = Saved as { $name }
file-blocked = The browser blocked the file
copying-blocked = The browser blocked copying
close = Close
retry = Retry
undo = Undo
taken-back = Taken back
stop = Stop

## Introduction

not-run-notice = This catalog has no database: questions are translated into SQL but not run.
empty-title = Ask your data a question
empty-lead = Ask in plain words. While you type, you see how the question is understood. If it is ambiguous, you are asked what you mean before anything runs.
suggestions = Suggestions
suggestions-of = Suggestions: { $area }
and-more = and { $count } more
tables = Tables
questions-to-begin-with = Questions to begin with
follow-up-questions = Suggested follow-up questions

## Preview

how-understood = How the question is understood
confidence = Confidence
understood-as = Understood as
reasons-and-sql = Reasons and SQL preview
not-read-yet = Not read yet
reading = Reading…
cannot-be-answered = cannot be answered as asked
needs-one-answer = needs one answer first
needs-answers = needs answers first
confidence-line = { $percent } % · { $word }
asks = asks
not-understood = not understood
nothing-understood = Nothing understood yet
could-also-be = Could also be { $rivals }.
sql-later = The SQL is written once every question is answered.
clear = clear
likely = likely
unsure = unsure
kind-is = is a { $kind }:
kind-calculation = calculation
kind-column = column
kind-comparison = comparison
kind-grouping = grouping
kind-limit = number of rows
kind-number = number
kind-order = order
kind-table = table
kind-time = time
kind-vague = needs a definition
kind-value = stored value
kind-term = term
kind-metric = metric
kind-condition = condition
kind-period = period
kind-question = question
kind-value-short = value
continuations = Continuations
continuations-offered =
    { $count ->
        [one] 1 continuation
       *[other] { $count } continuations
    }. Tab accepts { $first }.
continuation-keys = Tab accepts, arrow keys choose, Escape closes
asks-back = asks back

## Clarifications

filter-options = Filter the options
remember-this = Remember this
recommended = Recommended
choose-for-me = Choose for me
enter-a-value = Enter a value
something-else = Something else…
choose-all-for-me = Choose all for me
keep-as-it-is = Keep as it is
go-on = Continue
question-about-was = The question about { $phrase } was
the-question-was = The question was
helpful = helpful
needless = needless
marked-helpful = Marked as helpful
marked-needless = Marked as needless: it is asked less readily
from = From
to-inclusive = To (inclusive)
in-your-own-words = In your own words
equal-to = equal to
more-than = more than
at-least = at least
less-than = less than
at-most = at most
not-equal-to = not equal to
choose-an-option = Choose one of the options.
enter-a-day = Enter the first day, the last day, or both.
days-in-wrong-order = The first day is after the last.
enter-a-number = Enter a number.
enter-at-least = Enter a number of at least { $minimum }.
enter-at-most = Enter a number of at most { $maximum }.
enter-a-text = Enter a text.
chosen = Chosen
round-of = Round { $round } of at most { $rounds }
understood-so-far = Understood so far:

## Answer

edit-question = Edit question
nothing-matches = Nothing matches.
notes = Notes
assumptions =
    { $count ->
        [one] 1 assumption
       *[other] { $count } assumptions
    }
change = Change
change-meaning = Change { $phrase }: { $meaning }
forget = Forget
forgotten = Forgotten
forget-meaning = Forget { $phrase }: { $meaning }
from-memory = from memory
source-best-guess = best guess
source-budget = not asked: limit of questions reached
source-corrected = corrected
source-model = assumed by the model
source-chosen = chosen
source-default = default
how-words-were-read = How the words were read
words = Words
clause = Clause
sql-statement = SQL statement
copy-sql = Copy SQL
sql-copied = SQL copied
what-sql-does = What this SQL does
writing-steps = Writing the query
in-the-database = , { $time } of them in the database
steps-and-time = Steps and time
confidence-sentence = Confidence { $percent } % ({ $word }).
took = Took { $time }
under-a-millisecond = under 1 ms
milliseconds = { $time } ms
seconds = { $time } s
kept = Kept: { $parts }
changed = Changed: { $parts }
about = About:

## States of a question

running-said = Running the query.
answer-ready = Answer ready: { $rows }.
stopped-said = Stopped.
answer = Answer
done = Done
stage-failed = { $stage } failed.
not-run-yet = Not run yet.
estimate = The database expects about { $count } rows in one step ({ $step }), which may take long. Ask for a shorter period or fewer tables, or run the query anyway.
run-anyway = Run it anyway
no-query-written = No query was written.
out-of-scope = This data cannot answer that.
questions-first =
    { $count ->
        [one] One question first.
       *[other] { $count } questions first.
    }
running = Running the query…
question-failed = The question failed.
writing = Writing the query…
checking = Checking the query…
repairing = Repairing the query…
reading-question = Reading the question…
badge-answered = Answered
badge-query-failed = Query failed
badge-not-run = Not run
badge-no-query = No query
badge-asks = Needs a choice
badge-outside = Outside this data
badge-stopped = Stopped
badge-failed = Failed
badge-working = Working
stage-checking = Checking the query
stage-running = Running the query
stage-understanding = Understanding the question
stage-values = Looking up stored values
stage-writing = Writing the query

## Table

empty = empty
is-true = true
is-false = false
show-all = (show all)
filter-rows = Filter the fetched rows
cut = cut
cut-title = Cut: the whole value has { $length } bytes
whole-value = Whole value
copy-value = Copy value
value-copied = Value copied
in-order-of-result = { $size }, in the order of the result
result-table = Result table: { $question }
rows-for = Rows for: { $question }
rows =
    { $count ->
        [one] 1 row
       *[other] { $count } rows
    }
first-rows = first { $rows } of more than { $rows } rows
found-rows = { $found } of { $total } fetched rows
among-fetched = { $size }, { $order } among the fetched rows
sorted-by = sorted by { $column }, { $order }
smallest-first = smallest first
largest-first = largest first
earliest-first = earliest first
latest-first = latest first
a-to-z = A to Z
z-to-a = Z to A

## Files

rows-as-file = Rows as a file
copy-table = Copy table
table-copied = Table copied
save-as = Save as { $form }
stop-fetching = Stop fetching
more-rows-in-files = Excel, Parquet and Arrow files are fetched with more of them.
only-first-rows = Only the first { $rows } rows are in CSV and JSON files.
cut-cells-in-file = Cells that were cut are cut in the file, too.
only-first-cut-rows = Only the first { $rows } rows are in CSV and JSON files, with cells that were cut.
fetching = Fetching the { $form } file…
fetch-stopped = Stopped: the { $form } file was not saved.
only-first-in-file = Only the first { $rows } rows are in the { $form } file.
last-batch = The last batch of the Arrow file says whether rows are missing.
cut-in-file =
    cut: { $count ->
        [one] 1 cell is too long and ends in …
       *[other] { $count } cells are too long and end in …
    }
truncated-file =
    truncated: only the first { $rows ->
        [one] row is included
       *[other] { $rows } rows are included
    }
cells-cut =
    { $count ->
        [one] 1 cell is too long and was cut.
       *[other] { $count } cells are too long and were cut.
    }
database-busy = the database is busy; try again in a moment
took-too-long = it took too long; ask for fewer rows
try-again = { $reason }; try again
file-not-saved = the { $form } file was not saved: { $reason }{ $request }
request-id = (request { $id })

## Charts

chart = Chart
view-of-rows = View of the rows
chart-and-table = Chart and table
table-only = Table only
chart-as-file = Chart as a file
bars = Bars
grouped-bars = Grouped bars
line = Line
lines = Lines
scatter-plot = Scatter plot
stacked-bars = Stacked bars
parts-of-whole = Parts of 100%
chart-of = { $kind } of { $measure }
by-groups = { $measure } by { $groups }
and = and
measure = Measure
million = M
billion = bn
extremes = highest at { $most } ({ $most-place }), lowest at { $least } ({ $least-place })
all-at = all at { $value }
said-bars = Bar chart of { $shown }: { $count } bars, { $extremes }
said-whole = Bar chart of { $shown }: { $count } parts of 100%, { $extremes }
said-scatter = Scatter plot of { $shown }: { $count } dots, { $extremes }
said-line = Line chart of { $shown }: { $count } points from { $first } to { $last }, { $extremes }
said-lines = Line chart of { $shown }: { $count } lines ({ $names }) from { $first } to { $last }, { $extremes }
said-grouped = Bar chart of { $shown }: { $categories } groups of up to { $count } bars ({ $names }), { $extremes }
said-stacked = Stacked bar chart of { $shown }: { $categories } bars of up to { $count } parts ({ $names }), { $extremes }
rows-left-out = { $said }; { $count ->
        [one] 1 row without a number is
       *[other] { $count } rows without a number are
    } left out.

## History

search-history = Search earlier questions
earlier-questions = Earlier questions
no-history-kept = The server keeps no earlier questions.
no-earlier-questions = No earlier questions.
no-question-found = No earlier question has these words.
questions =
    { $count ->
        [one] 1 question
       *[other] { $count } questions
    }
questions-found = { $found } of { $count ->
        [one] 1 question
       *[other] { $count } questions
    }
deleted = Deleted
deleted-said = Deleted { $title }. It can be taken back.
after-question = after: { $first }
corrected-to = corrected: { $corrections }
join-with = join { $left } with { $right }
not-this = not { $name }
not-decided = not decided
note-stopped = stopped
not-answered = not answered
pinned = Pinned
actions-for = Actions for { $title }
pin = Pin
unpin = Unpin
rename = Rename
delete = Delete
name-in-browser = Name, kept in this browser
save-name = Save name

## Side panel

tab-history = History
tab-data = Data
tab-memory = Memory
tab-settings = Settings
search-schema = Search tables and columns
no-tables = The catalog has no tables.
no-table-found = No table or column has these words.
first-tables = The first { $listed } of { $found } tables
tables-found = { $found } of { $count ->
        [one] 1 table
       *[other] { $count } tables
    }
values-unread =
    { $count ->
        [one] The values of 1 table are not listed yet. Questions search for them in the database.
       *[other] The values of { $count } tables are not listed yet. Questions search for them in the database.
    }
tables-count =
    { $count ->
        [one] 1 table
       *[other] { $count } tables
    }
referred-to-by = Referred to by
put-into-question = Put { $words } into the question
columns-of = Columns of { $table }
type-boolean = yes or no
type-date = date
type-integer = whole number
type-number = number
type-text = text
type-time = time
type-timestamp = date and time
type-in-unit = { $kind } in { $unit }
type-key = { $kind }, key
type-optional = { $kind }, optional
type-unlisted = { $kind }, values are never listed

## Memory

nothing-remembered = Nothing is remembered yet. Choices that you make when you are asked are listed here.
remembered-choices = Remembered choices
needless-questions = Needless questions
lessons = Lessons
save-as-json = Save as JSON
forget-all = Forget all
forgotten-said = Forgotten: { $phrase }. It can be taken back.
all-forgotten = All is forgotten. It can be taken back.
always-use = Always use
always-used = Always used
always-use-this = Always use { $about }
forget-this = Forget { $about }
no-longer-asked = no longer asked
asked-less = asked less readily
marked-needless-times = marked as needless { $times }; { $effect }
a-correction = a correction
a-repair = a repair
error-of-model = error of a model
not-used-yet = not used yet
used-right = used { $times }, right { $successes }
learned-from = learned from { $source }; { $used }
times =
    { $count ->
        [one] once
       *[other] { $count } times
    }
choices-count =
    { $count ->
        [one] 1 remembered choice
       *[other] { $count } remembered choices
    }
needless-count =
    { $count ->
        [one] 1 question
       *[other] { $count } questions
    } marked as needless
lessons-count =
    { $count ->
        [one] 1 lesson
       *[other] { $count } lessons
    }
applies-always = always used
applies-mostly = used if mostly chosen
applies-from = used from { $count } times on
chosen-times = chosen { $times }, last on { $day }; { $applies }

## Settings

language = Language
as-the-system = As the system
theme = Theme
light = Light
dark = Dark
density = Density
comfortable = Comfortable
compact = Compact
ask-what-is-meant = Ask what is meant
rows-of-answer = Rows of an answer
limit-of-server = { $rows } (limit of the server)
settings-note = Settings are kept in this browser. Asking and rows apply from the next question on.
ask-often = Often, also if fairly sure
ask-as-server = As the server is set
ask-once = At most one question
ask-never = Never, take the best guess

## Problems of the page

check-connection = Check the connection to the server, then retry.
check-server = Check that the server is running and reachable, then retry.
newer-server = The server may be newer than this page. Reload the page to get the latest version.
retry-in-a-moment = Retry in a moment. If the problem persists, contact the operator of the server.
try-again-soon = Try again in a moment.
change-or-call-operator = Change the question, or ask the person who runs the data source.
engine-not-loaded = Could not load the engine
catalog-not-loaded = Could not load the catalog
failure-details = { $code } · status { $status } · request { $id }
server-silent = the server did not respond
connection-broken = the connection ended before the file was complete
unreadable = this version of the page cannot read { $what }: { $error }
engine-failure = the engine of the page could not be loaded: { $error }
status-failure = the server responded with status { $status }
what-catalog = the catalog
what-values = the values
what-statement = the statement
what-question = the question
what-memory = the memory
what-choices = the choices
what-mark = the mark
what-history = the history
what-response = the response
