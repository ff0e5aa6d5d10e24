import type { Host } from "./host.js";
import { check, text as textOf, typed, WhereforeError } from "./errors.js";
import type { Knowledge, ResultSet, Written } from "./wire.js";

/** Options of `proxyHost`. */
export interface ProxyOptions {
  /** Address of the proxy, such as `https://data.example.com`. */
  url: string | URL;
  /** Returns the bearer token of the user; called before each request. */
  getToken?: (() => string | undefined | PromiseLike<string | undefined>) | undefined;
  /** Replaces `fetch`. */
  fetch?: typeof fetch | undefined;
}

/** A host that performs every effect through the HTTP API of a Wherefore proxy. */
export interface ProxyHost extends Required<Pick<Host, "values" | "run" | "write">> {
  /** The catalog, settings and word lists from which `Engine.create` builds an engine. */
  knowledge(signal?: AbortSignal): Promise<Knowledge>;
}

/** Parts of an error of a request besides its code and message. */
export interface ProxyErrorDetails {
  status: number;
  requestId?: string | undefined;
  /** What the proxy says; the status tells if it says nothing. */
  retryable?: boolean | undefined;
  cause?: unknown;
}

/** Error of a request: `code`, `message` and whether a retry may succeed. */
export class ProxyError extends WhereforeError {
  /** HTTP status; 0 without a response. */
  readonly status: number;
  /** Id of the request in the logs of the proxy. */
  readonly requestId: string | undefined;
  /** Whether a retry may succeed. */
  readonly retryable: boolean;

  constructor(code: string, message: string, details: ProxyErrorDetails) {
    const { status, requestId, retryable, cause } = details;
    super("ProxyError", code, requestId ? `${message} (request ${requestId})` : message, { cause });
    this.status = status;
    this.requestId = requestId;
    this.retryable = retryable ?? [0, 408, 429, 502, 503, 504].includes(status);
  }
}

/**
 * Performs effects through a proxy, which checks every statement again, including those that a model writes.
 *
 * Add `clarify` to answer in code: `{ ...proxyHost({ url }), clarify }`.
 */
export function proxyHost(options: ProxyOptions): ProxyHost {
  check(options, "options", "object");
  const { url, getToken, fetch: send = fetch } = typed(() => ({ ...options }));
  if (Object.prototype.toString.call(url) !== "[object URL]") textOf(url, "url");
  check(getToken, "getToken", "function", true);
  check(send, "fetch", "function");
  const base = String(url).replace(/\/+$/, "");

  async function request<T>(path: string, signal?: AbortSignal, body?: object): Promise<T> {
    const token = await getToken?.();
    const headers: Record<string, string> = { accept: "application/json" };
    if (token) headers["authorization"] = `Bearer ${token}`;
    if (body) headers["content-type"] = "application/json";
    const init: RequestInit = { method: body ? "POST" : "GET", headers };
    if (body) init.body = JSON.stringify(body);
    if (signal) init.signal = signal;
    let response: Response;
    let text: string;
    try {
      response = await send(`${base}/api/v1/${path}`, init);
      text = await response.text();
    } catch (cause) {
      throw new ProxyError("proxy_unreachable", "the server did not respond", { status: 0, cause });
    }
    if (!response.ok) throw ofProblem(response.status, text);
    try {
      return JSON.parse(text) as T;
    } catch (cause) {
      const { status } = response;
      throw new ProxyError("response_unreadable", "the response of the server is not JSON", { status, cause });
    }
  }

  return {
    knowledge: (signal) => request<Knowledge>("catalog", signal),
    async values(search, signal) {
      check(search, "search", "object");
      const { column, text } = typed(() => ({ ...search }));
      check(column, "column of search", "object");
      const query = new URLSearchParams({ table: column.table, column: column.column, search: textOf(text, "text") });
      return (await request<{ values: string[] }>(`values?${query}`, signal)).values;
    },
    async run(statement, signal) {
      check(statement, "statement", "object");
      const { sql, row_limit } = typed(() => ({ ...statement }));
      return request<ResultSet>("sql/execute", signal, { sql: textOf(sql, "sql"), row_limit });
    },
    write: (brief, signal) => request<Written>("llm/write_sql", signal, { brief }),
  };
}

/** Error of a response, whose body should be a problem document (RFC 9457). */
function ofProblem(status: number, body: string): ProxyError {
  let document: Record<string, unknown> = {};
  try {
    document = Object(JSON.parse(body)) as Record<string, unknown>;
  } catch {
    // Servers in between answer in HTML.
  }
  const field = (name: string) => (typeof document[name] === "string" ? document[name] : "") || undefined;
  const message = field("detail") ?? field("title") ?? `the server responded with status ${status}`;
  const requestId = field("request_id");
  const told = document["retryable"];
  const retryable = typeof told === "boolean" ? told : undefined;
  return new ProxyError(field("code") ?? "http_error", message, { status, requestId, retryable });
}
