import axios from "axios";

const base = process.argv[2];
const ask = async (path, options = {}) => {
  const r = await axios({ url: base + path, method: options.method, headers: options.headers, data: options.body, transformResponse: (t) => t });
  return [r.status, r.data];
};
const post = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ a: 1 }) };
console.log(JSON.stringify([...(await ask("/json?x=1")), ...(await ask("/mirror", post))]));
