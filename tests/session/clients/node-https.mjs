import client from "node:https";

const base = process.argv[2];
const ask = (path, { body, ...options } = {}) =>
  new Promise((done, failed) => {
    const request = client.request(base + path, options, (answer) => {
      let text = "";
      answer.on("data", (piece) => (text += piece));
      answer.on("end", () => done([answer.statusCode, text]));
    });
    request.on("error", failed);
    request.end(body);
  });
const post = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ a: 1 }) };
console.log(JSON.stringify([...(await ask("/json?x=1")), ...(await ask("/mirror", post))]));
