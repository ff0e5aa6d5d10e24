// `proxyHost` of the installed package: with a real proxy on the sample's data, and with failing servers.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createAsk, drive, Engine, init, ProxyError, proxyHost, Session } from "wherefore";
import { serveApp, startProxy } from "./support.mjs";

let proxy;
let knowledge;
let engine;
let host;
const today = new Date().toISOString().slice(0, 10);

before(async () => {
  await init();
  proxy = await startProxy();
  host = proxyHost({ url: `${proxy.url}/` });
  knowledge = await host.knowledge();
  engine = Engine.create(knowledge);
});
after(() => proxy?.stop());

test("a question on the sample's catalog is answered through a proxy", async () => {
  const session = Session.create(engine);
  session.step({ type: "ask", text: "how many customers", today });
  const view = await drive(session, host);
  assert.equal(view.outcome, "answered");
  assert.ok(view.result.rows[0][0] > 0);
});

test("what a denying word was taken to mean is what the statement says", async () => {
  const { view } = await createAsk({ engine, host, today: () => today }).ask("unpaid invoices");
  assert.match(view.sql, /status <> 'paid'/);
  assert.deepEqual(view.assumptions.map(({ phrase, meaning }) => [phrase, meaning]), [["unpaid", "status is not “paid”"]]);
});

test("values of a column are searched through a proxy", async () => {
  const table = knowledge.catalog.tables.find(({ name }) => name.endsWith("countries"));
  const found = await host.values({ column: { table: table.name, column: "name" }, text: "GERMAN" });
  assert.deepEqual(found, ["Germany"]);
});

test("a session on the sample's catalog runs with an app's own functions", async () => {
  const statements = [];
  const own = {
    run: ({ sql, dialect, row_limit }) => {
      statements.push({ sql, dialect, row_limit });
      return { columns: [{ name: "customers" }], rows: [[5]] };
    },
  };
  const ask = createAsk({ engine, host: own, today: () => today });
  await ask.ask("how many customers");
  assert.deepEqual(ask.state.view.result.rows, [[5]]);
  assert.equal(statements[0].dialect, "sqlite");
});

test("a statement that the proxy refuses keeps its code", async () => {
  const error = await host.run({ sql: "DELETE FROM customers", dialect: "sqlite", row_limit: 5 }).catch((error) => error);
  assert.ok(error instanceof ProxyError);
  assert.ok(error.status >= 400 && error.status < 500, String(error.status));
  assert.equal(error.retryable, false);
  assert.match(error.message, /\(request .+\)$/);
});

test("writing without a model fails with the code of the proxy", async () => {
  const error = await host.write({ question: "why", today }).catch((error) => error);
  assert.ok(error instanceof ProxyError && error.status >= 400, String(error));
});

test("each request carries the token of that moment", async () => {
  const seen = [];
  const server = await serveApp({
    handle(request, response, path) {
      seen.push([path, request.headers.authorization]);
      response.writeHead(200, { "content-type": "application/json" }).end('{"values": ["x"]}');
      return true;
    },
  });
  let number = 0;
  const host = proxyHost({ url: server.url, getToken: async () => `token${++number}` });
  const search = { column: { table: "a b", column: "c&d" }, text: "ü?" };
  assert.deepEqual(await host.values(search), ["x"]);
  await host.values(search);
  server.stop();
  assert.deepEqual(seen, [["/api/v1/values", "Bearer token1"], ["/api/v1/values", "Bearer token2"]]);
});

test("servers that fail give typed errors", async () => {
  const problem = '{"code":"database_unavailable","title":"Unavailable","detail":"it is away","request_id":"r-1"}';
  const replies = [
    [503, problem, { code: "database_unavailable", message: "it is away (request r-1)", retryable: true }],
    [503, problem.replace("{", '{"retryable":false,'), { code: "database_unavailable", retryable: false }],
    [422, "<html>", { code: "http_error", message: "the server responded with status 422", retryable: false }],
    [500, "7", { code: "http_error", retryable: false }],
    [200, "no json", { code: "response_unreadable" }],
  ];
  for (const [status, body, expected] of replies) {
    const host = proxyHost({ url: "http://x.test", fetch: async () => new Response(body, { status }) });
    await assert.rejects(host.knowledge(), { name: "ProxyError", ...expected });
  }
  const away = proxyHost({ url: "http://x.test", fetch: () => Promise.reject(new TypeError("fetch failed")) });
  await assert.rejects(away.knowledge(), { code: "proxy_unreachable", status: 0, retryable: true });
});
