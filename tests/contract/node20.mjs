// Loads the MCP conformance suite on Node 20: it imports `globSync` of `fs`, which Node has from version 22 on, for a
// command that these tests do not use.
import { register } from "node:module";

const fs = `export * from "node:fs"; export { default } from "node:fs"; export const globSync = () => [];`;
const hook = `
export async function resolve(specifier, context, next) {
  if (specifier === "fs" && context.parentURL?.includes("/@modelcontextprotocol/conformance/")) {
    return { url: "data:text/javascript," + ${JSON.stringify(encodeURIComponent(fs))}, shortCircuit: true };
  }
  return next(specifier, context);
}`;
if (Number(process.versions.node.split(".")[0]) < 22) {
  register("data:text/javascript," + encodeURIComponent(hook));
}
