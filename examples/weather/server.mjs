// The weather server of server.py once more, in plain Node: no packages, one JSON message a line.
import { createInterface } from "node:readline";

const WEATHER = {
  서울: [21.5, "맑음"],
  부산: [24.0, "구름 조금"],
  제주: [26.5, "비"],
  Seoul: [21.5, "clear"],
  Busan: [24.0, "partly cloudy"],
  Jeju: [26.5, "rain"],
};

const TOOLS = [
  {
    name: "get_weather",
    description: "The weather of a city right now",
    inputSchema: {
      type: "object",
      properties: { city: { type: "string", description: "Seoul, Busan, Jeju, or their Korean names" } },
      required: ["city"],
    },
    outputSchema: {
      type: "object",
      properties: {
        city: { type: "string" },
        temperature: { type: "number", description: "degrees Celsius" },
        condition: { type: "string" },
      },
      required: ["city", "temperature", "condition"],
    },
  },
  {
    name: "add",
    description: "The sum of two numbers",
    inputSchema: {
      type: "object",
      properties: { a: { type: "number" }, b: { type: "number" } },
      required: ["a", "b"],
    },
  },
];

const VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

const text = (words, more = {}) => ({ content: [{ type: "text", text: words }], ...more });

const CALLS = {
  get_weather({ city }) {
    if (typeof city !== "string") return text("city must be a string", { isError: true });
    if (!Object.hasOwn(WEATHER, city))
      return text(`unknown city: ${city}. Known: ${Object.keys(WEATHER).join(", ")}`, { isError: true });
    const [temperature, condition] = WEATHER[city];
    const answer = { city, temperature, condition };
    return text(JSON.stringify(answer), { structuredContent: answer });
  },
  add({ a, b }) {
    for (const [name, value] of Object.entries({ a, b }))
      if (typeof value !== "number") return text(`${name} must be a number`, { isError: true });
    return text(String(a + b));
  },
  // Not advertised: they misbehave, for failing.suite.json.
  wait: ({ seconds = 1 }) => new Promise((done) => setTimeout(() => done(text("done")), seconds * 1000)),
  forecast: () => ({ content: ["today: clear", "tomorrow: rain"].map((words) => ({ type: "text", text: words })) }),
  stop() {
    console.error("weather server: fatal: the sensor is on fire");
    process.exit(3);
  },
};

async function answer({ method, params }) {
  params ??= {};
  if (method === "initialize") {
    const asked = params.protocolVersion;
    return {
      result: {
        protocolVersion: VERSIONS.includes(asked) ? asked : VERSIONS[0],
        capabilities: { tools: {} },
        serverInfo: { name: "weather", version: "1.0.0" },
      },
    };
  }
  if (method === "ping") return { result: {} };
  if (method === "tools/list") return { result: { tools: TOOLS } };
  if (method === "tools/call") {
    if (!Object.hasOwn(CALLS, params.name)) return { error: { code: -32602, message: `unknown tool: ${params.name}` } };
    return { result: await CALLS[params.name](params.arguments ?? {}) };
  }
  return { error: { code: -32601, message: `unknown method: ${method}` } };
}

// The reply to one line, undefined where it wants none. Whatever comes, the server lives on.
async function replyTo(line) {
  let id = null;
  try {
    const message = JSON.parse(line);
    if (message?.id === undefined || message.method === undefined) return undefined; // a notification
    id = message.id;
    return { id, ...(await answer(message)) };
  } catch (wrong) {
    return { id, error: { code: id === null ? -32700 : -32603, message: String(wrong) } };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const reply = line.trim() && (await replyTo(line));
  if (reply) process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...reply }) + "\n");
}
