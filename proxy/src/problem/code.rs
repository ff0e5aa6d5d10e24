//! Stable codes of all errors that the proxy reports.

use std::fmt;

use axum::http::StatusCode;
use serde::{Serialize, Serializer};
use wherefore_engine::session::ExecutionFailure;

/// Defines [`ProblemCode`], one line per code: meaning, name, text on the wire, HTTP status.
macro_rules! problem_codes {
    ($($doc:literal $name:ident $text:literal $status:ident;)*) => {
        /// Stable code of an error. Clients may rely on the text and the status; messages may change.
        #[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
        pub enum ProblemCode {
            $(#[doc = $doc] $name,)*
        }

        impl ProblemCode {
            /// Every code, in alphabetical order of the texts.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// Text on the wire, in snake case.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)*
                }
            }

            /// HTTP status of a problem document with this code.
            pub const fn status(self) -> StatusCode {
                match self {
                    $(Self::$name => StatusCode::$status,)*
                }
            }

            /// Meaning of the code, in one sentence.
            pub const fn meaning(self) -> &'static str {
                match self {
                    $(Self::$name => $doc,)*
                }
            }
        }
    };
}

problem_codes! {
    "The clarification was answered before." AlreadyAnswered "already_answered" CONFLICT;
    "The question has ended and cannot be cancelled." AlreadyEnded "already_ended" CONFLICT;
    "The request body exceeds the size limit." BodyTooLarge "body_too_large" PAYLOAD_TOO_LARGE;
    "The request body arrived too slowly." BodyTooSlow "body_too_slow" REQUEST_TIMEOUT;
    "The brief for the language model exceeds a limit on its lists." BriefTooLarge "brief_too_large" UNPROCESSABLE_ENTITY;
    "The question was cancelled by its asker." Cancelled "cancelled" CONFLICT;
    "The clarification expired before it was answered; the question can be asked again." ClarificationExpired "clarification_expired" GONE;
    "A state-changing request came from a page of another site." CrossSiteRefused "cross_site_refused" FORBIDDEN;
    "Every connection to the database is in use." DatabaseBusy "database_busy" SERVICE_UNAVAILABLE;
    "The database cannot be reached." DatabaseUnavailable "database_unavailable" SERVICE_UNAVAILABLE;
    "A step of the statement is estimated at more rows than run without asking, and the request does not accept that." EstimateNotAccepted "estimate_not_accepted" UNPROCESSABLE_ENTITY;
    "The data source failed without a more specific code." ExecutionFailed "execution_failed" UNPROCESSABLE_ENTITY;
    "The request names a host that this server does not answer for." HostRefused "host_refused" FORBIDDEN;
    "The idempotency key was used for another question." IdReused "id_reused" UNPROCESSABLE_ENTITY;
    "A request with this idempotency key is still running." InProgress "in_progress" CONFLICT;
    "An unexpected error inside the server; its log holds the reason." Internal "internal" INTERNAL_SERVER_ERROR;
    "The cursor does not come from a page of the history." InvalidCursor "invalid_cursor" UNPROCESSABLE_ENTITY;
    "A date is not of the form yyyy-mm-dd." InvalidDate "invalid_date" UNPROCESSABLE_ENTITY;
    "The request has no Host header, several, an invalid one, or one that differs from its target." InvalidHost "invalid_host" BAD_REQUEST;
    "The idempotency key is not 16 to 64 letters, digits, hyphens and underscores." InvalidId "invalid_id" UNPROCESSABLE_ENTITY;
    "The body is not valid JSON." InvalidJson "invalid_json" BAD_REQUEST;
    "The page size is out of range." InvalidLimit "invalid_limit" UNPROCESSABLE_ENTITY;
    "The id of a person is not 16 to 64 letters, digits, hyphens and underscores." InvalidPerson "invalid_person" UNPROCESSABLE_ENTITY;
    "A reported question has no text, a text that is too long, or too many decisions." InvalidRecord "invalid_record" UNPROCESSABLE_ENTITY;
    "The request lacks a field, or has one that is unknown or of the wrong type." InvalidRequest "invalid_request" BAD_REQUEST;
    "The row limit is zero." InvalidRowLimit "invalid_row_limit" UNPROCESSABLE_ENTITY;
    "The asker's date is not of the form yyyy-mm-dd." InvalidToday "invalid_today" UNPROCESSABLE_ENTITY;
    "The key set that tokens are verified with cannot be read." KeySetUnreadable "key_set_unreadable" SERVICE_UNAVAILABLE;
    "The memory holds too many patterns, or one that is too long." MemoryTooLarge "memory_too_large" UNPROCESSABLE_ENTITY;
    "The resource does not support this method." MethodNotAllowed "method_not_allowed" METHOD_NOT_ALLOWED;
    "A claim that decides what the caller may see is missing, or not of the type that is configured." MissingClaim "missing_claim" FORBIDDEN;
    "A field that the task needs is missing." MissingField "missing_field" UNPROCESSABLE_ENTITY;
    "The answer of the language model exceeds the size limit." ModelAnswerTooLarge "model_answer_too_large" BAD_GATEWAY;
    "The language model is overloaded." ModelBusy "model_busy" SERVICE_UNAVAILABLE;
    "The language model did not answer in time." ModelTimeout "model_timeout" GATEWAY_TIMEOUT;
    "The language model cannot be reached." ModelUnavailable "model_unavailable" SERVICE_UNAVAILABLE;
    "An answer was sent without any answers in it." NoAnswers "no_answers" UNPROCESSABLE_ENTITY;
    "The catalog has no database to run statements on." NoDatabase "no_database" CONFLICT;
    "No language model is configured." NoModel "no_model" CONFLICT;
    "The database has no tables." NoTables "no_tables" UNPROCESSABLE_ENTITY;
    "No supported content type is acceptable to the client." NotAcceptable "not_acceptable" NOT_ACCEPTABLE;
    "The request bears no valid API key, token or sign-in." NotSignedIn "not_signed_in" UNAUTHORIZED;
    "An authenticated user named another person, or a caller without a user named `me`." OtherPerson "other_person" FORBIDDEN;
    "The database login lacks a privilege." PermissionDenied "permission_denied" FORBIDDEN;
    "The prompt does not fit the context of the language model, even made smaller." PromptTooLong "prompt_too_long" BAD_GATEWAY;
    "The question holds control characters." QuestionControlCharacters "question_control_characters" UNPROCESSABLE_ENTITY;
    "The question is empty." QuestionEmpty "question_empty" UNPROCESSABLE_ENTITY;
    "The question exceeds the length limit." QuestionTooLong "question_too_long" UNPROCESSABLE_ENTITY;
    "The server of the language model rejected the request." RefusedByModel "refused_by_model" BAD_GATEWAY;
    "The text to search for exceeds the length limit." SearchTooLong "search_too_long" UNPROCESSABLE_ENTITY;
    "The values of a sensitive column are never listed." SensitiveColumn "sensitive_column" FORBIDDEN;
    "Memory shared by everyone of a tenant is turned off." SharedMemoryOff "shared_memory_off" FORBIDDEN;
    "The database rejected the statement while it ran." StatementFailed "statement_failed" UNPROCESSABLE_ENTITY;
    "An earlier statement of the user was cancelled, but the database still runs it." StatementOverdue "statement_overdue" TOO_MANY_REQUESTS;
    "The guard or the database refused the statement before it ran." StatementRefused "statement_refused" UNPROCESSABLE_ENTITY;
    "The statement exceeded its time limit." StatementTimeout "statement_timeout" GATEWAY_TIMEOUT;
    "The estimated cost of the statement exceeds the limit." StatementTooCostly "statement_too_costly" UNPROCESSABLE_ENTITY;
    "The store of sessions and history cannot be used at the moment." StoreUnavailable "store_unavailable" SERVICE_UNAVAILABLE;
    "The user has spent the day's tokens of the language model." TokenBudgetSpent "token_budget_spent" TOO_MANY_REQUESTS;
    "The result has more columns than are returned." TooManyColumns "too_many_columns" UNPROCESSABLE_ENTITY;
    "The estimated rows of a step of the statement exceed the limit." TooManyEstimatedRows "too_many_estimated_rows" UNPROCESSABLE_ENTITY;
    "The user exceeded the rate limit on questions." TooManyQuestions "too_many_questions" TOO_MANY_REQUESTS;
    "The server handles as many requests as it accepts at a time." TooManyRequests "too_many_requests" SERVICE_UNAVAILABLE;
    "The user runs as many queries as one may at a time." TooManyRunning "too_many_running" TOO_MANY_REQUESTS;
    "Too many sign-ins from this address failed." TooManySignIns "too_many_sign_ins" TOO_MANY_REQUESTS;
    "No clarification of the caller has this id." UnknownClarification "unknown_clarification" NOT_FOUND;
    "The table has no column of this name." UnknownColumn "unknown_column" NOT_FOUND;
    "The catalog has no table, column or template of this name." UnknownName "unknown_name" UNPROCESSABLE_ENTITY;
    "The memory holds no pattern with this id." UnknownPattern "unknown_pattern" NOT_FOUND;
    "No question of the caller has this id." UnknownQuestion "unknown_question" NOT_FOUND;
    "No resource is at this path." UnknownRoute "unknown_route" NOT_FOUND;
    "The catalog has no table of this name." UnknownTable "unknown_table" NOT_FOUND;
    "No task of the language model has this name." UnknownTask "unknown_task" NOT_FOUND;
    "No data source belongs to the caller's tenant." UnknownTenant "unknown_tenant" FORBIDDEN;
    "No thread of the caller has this id." UnknownThread "unknown_thread" NOT_FOUND;
    "The answer of the language model does not have the expected form." UnreadableAnswer "unreadable_answer" BAD_GATEWAY;
    "The body cannot be read." UnreadableBody "unreadable_body" BAD_REQUEST;
    "A file of the data source cannot be read as a table; the message says where and why." UnreadableFile "unreadable_file" UNPROCESSABLE_ENTITY;
    "The body has a content encoding; bodies are read without one." UnsupportedEncoding "unsupported_encoding" UNSUPPORTED_MEDIA_TYPE;
    "The content type of the body is not application/json." UnsupportedMediaType "unsupported_media_type" UNSUPPORTED_MEDIA_TYPE;
    "The language model wrote no statement that can be used." WritingFailed "writing_failed" BAD_GATEWAY;
}

impl ProblemCode {
    /// Code with this text; `None` for a code that only the engine has.
    pub fn from_text(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|code| code.as_str() == text)
    }

    /// Failure of an effect, with this code.
    pub(crate) fn failure(self, message: impl Into<String>, retryable: bool) -> ExecutionFailure {
        ExecutionFailure { code: self.as_str().to_owned(), message: message.into(), retryable }
    }
}

impl fmt::Display for ProblemCode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl Serialize for ProblemCode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::ProblemCode;

    #[test]
    fn codes_are_sorted_snake_case_and_found_by_their_text() {
        let texts: Vec<&str> = ProblemCode::ALL.iter().map(|code| code.as_str()).collect();
        assert!(texts.is_sorted(), "{texts:?}");
        for code in ProblemCode::ALL {
            let text = code.as_str();
            assert!(text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'), "{text}");
            assert_eq!(ProblemCode::from_text(text), Some(*code));
            assert!(code.meaning().ends_with('.'), "{text}");
        }
    }
}
