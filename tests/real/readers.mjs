// Reads a report with somebody else's reader and prints what that reader made of it, as JSON.
import { readFileSync } from "node:fs";
const [form, path, schema] = process.argv.slice(2);
const text = readFileSync(path, "utf8");
const readers = {
  async junit() {
    const { parse } = await import("junit2json");
    return parse(text);
  },
  async xsd() {
    const { validateXML } = await import("xmllint-wasm");
    const file = { fileName: "junit.xml", contents: text };
    return validateXML({ xml: [file], schema: [readFileSync(schema, "utf8")] });
  },
  async tap() {
    const { Parser } = await import("tap-parser");
    const found = { asserts: [], bad: [] };
    const parser = new Parser({ strict: true });
    parser.on("assert", ({ ok, id, name, skip, diag }) => found.asserts.push({ ok, id, name, skip, diag }));
    parser.on("extra", (line) => found.bad.push(line));
    parser.on("bailout", (reason) => found.bad.push(reason));
    await new Promise((done) => {
      parser.on("complete", (results) => done(Object.assign(found, { count: results.count, fail: results.fail, failures: results.failures.length })));
      parser.end(text);
    });
    return found;
  },
  async html() {
    const { HtmlValidate } = await import("html-validate");
    const checker = new HtmlValidate({ extends: ["html-validate:standard", "html-validate:a11y"], rules: { "no-inline-style": "off", "long-title": "off" } });
    const { results } = await checker.validateString(text);
    return results.flatMap(({ messages }) => messages.map(({ ruleId, message, line }) => `${line}: ${ruleId}: ${message}`));
  },
};
process.stdout.write(JSON.stringify(await readers[form]()));
