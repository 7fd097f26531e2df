import ky from "ky";

const base = process.argv[2];
const ask = async (path, options) => { const r = await ky(base + path, options); return [r.status, await r.text()]; };
const post = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ a: 1 }) };
console.log(JSON.stringify([...(await ask("/json?x=1")), ...(await ask("/mirror", post))]));
