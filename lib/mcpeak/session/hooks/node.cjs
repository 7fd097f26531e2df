// The hook of mcpeak-session for Node: every TCP connection of this process goes to the recorder instead.
//
// Loaded by `--require` from NODE_OPTIONS before any other code. It does nothing without the recorder's address
// and token. It takes its own variables out of the environment and gives them to child processes and worker
// threads only. A connection is made to the recorder's door, and announced there on a connection of our own:
// which port of ours it came from, and where it was meant to go. So TLS, keep-alive and errors stay as they are.
"use strict";

const worker = require("node:worker_threads");

const KEPT = "mcpeak.session";
const SEPARATOR = "\x1f";
const PREPENDED = { NODE_OPTIONS: " ", PYTHONPATH: ":" };

/** Takes our variables out of the environment; gives them, or undefined where there are none. */
function take(env) {
  if (!worker.isMainThread && worker.getEnvironmentData(KEPT)) return worker.getEnvironmentData(KEPT);
  if (!env.MCPEAK_SESSION_ADDRESS || !env.MCPEAK_SESSION_TOKEN) return undefined;
  const ours = {};
  for (const piece of (env.MCPEAK_SESSION_WAS ?? "").split(SEPARATOR)) {
    const [name, value] = halves(piece, "=");
    if (name !== "MCPEAK_SESSION_WAS") ours[name] = added(name, env[name] ?? "", value);
    if (value === undefined) delete env[name];
    else env[name] = value;
  }
  delete env.MCPEAK_SESSION_WAS;
  worker.setEnvironmentData(KEPT, ours);
  return ours;
}

/** What we put before a variable's own value; for other variables their whole value. */
function added(name, value, was) {
  const mark = PREPENDED[name];
  return mark && was && value.endsWith(mark + was) ? value.slice(0, -(mark + was).length) : value;
}

function halves(text, mark) {
  const at = text.indexOf(mark);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

/** The environment for a child: ours over its own, and what its own was. */
function forChild(env, ours) {
  ready(ours.MCPEAK_SESSION_CA);
  const made = { ...env };
  const was = [];
  for (const [name, value] of Object.entries(ours)) {
    const own = made[name];
    was.push(own === undefined ? name : `${name}=${own}`);
    made[name] = PREPENDED[name] && own ? value + PREPENDED[name] + own : value;
  }
  made.MCPEAK_SESSION_WAS = was.join(SEPARATOR);
  return made;
}

function hookChildren(ours) {
  const children = require("node:child_process");
  const spawn = children.ChildProcess.prototype.spawn;
  children.ChildProcess.prototype.spawn = function (options) {
    const pairs = (options.envPairs ?? []).map((pair) => halves(pair, "="));
    const made = forChild(Object.fromEntries(pairs), ours);
    options.envPairs = Object.entries(made).map(([name, value]) => `${name}=${value}`);
    return Reflect.apply(spawn, this, [options]);
  };
  for (const name of ["spawnSync", "execFileSync", "execSync"]) {
    const real = children[name];
    children[name] = function (...args) {
      while (args.length > 1 && args[args.length - 1] === undefined) args.pop();
      const at = args.findIndex((one, place) => place > 0 && one && typeof one === "object" && !Array.isArray(one));
      const options = at < 0 ? {} : args[at];
      const fresh = { ...options, env: forChild(options.env ?? process.env, ours) };
      if (at < 0) args.push(fresh);
      else args[at] = fresh;
      return Reflect.apply(real, this, args);
    };
  }
}

/** Names that were looked up by hand get addresses of their own (RFC 2544 range), which stand for the name. */
class Names {
  #byName = new Map();
  #byAddress = new Map();

  address(name) {
    const key = name.toLowerCase();
    if (!this.#byName.has(key)) {
      const number = this.#byName.size + 1;
      const address = `198.18.${(number >> 8) & 255}.${number & 255}`;
      this.#byName.set(key, address);
      this.#byAddress.set(address, key);
    }
    return this.#byName.get(key);
  }

  name(address) {
    return this.#byAddress.get(address) ?? address;
  }
}

function hookNames(names, isPassed) {
  const dns = require("node:dns");
  const { isIP } = require("node:net");
  const isOurs = (name) => typeof name === "string" && name && !isIP(name) && !/^(.*\.)?localhost\.?$/i.test(name) && !isPassed(name);
  const answer = (name, options) => {
    const found = { address: names.address(name), family: 4 };
    return options && options.all ? [found] : found;
  };
  const { lookup } = dns;
  dns.lookup = function (name, options, callback) {
    if (!isOurs(name)) return Reflect.apply(lookup, this, arguments);
    const done = typeof options === "function" ? options : callback;
    const found = answer(name, typeof options === "object" ? options : undefined);
    process.nextTick(() => (Array.isArray(found) ? done(null, found) : done(null, found.address, found.family)));
    return {};
  };
  const later = dns.promises.lookup;
  dns.promises.lookup = function (name, options) {
    if (!isOurs(name)) return Reflect.apply(later, this, arguments);
    return Promise.resolve(answer(name, typeof options === "object" ? options : undefined));
  };
}

const CODES = {
  refused: ["ECONNREFUSED", "connect"],
  unreachable: ["EHOSTUNREACH", "connect"],
  timeout: ["ETIMEDOUT", "connect"],
  dns: ["ENOTFOUND", "getaddrinfo"],
};

/** The error that Node itself would have given. */
function failure(kind, host, port) {
  const [code, call] = CODES[kind] ?? CODES.unreachable;
  const error = new Error(call === "connect" ? `connect ${code} ${host}:${port}` : `${call} ${code} ${host}`);
  const number = require("node:os").constants.errno[code];
  Object.assign(error, { errno: number ? -number : -3008, code, syscall: call });
  return Object.assign(error, call === "connect" ? { address: host, port } : { hostname: host });
}

/** The connection on which we tell the recorder whose connections arrive at its door. */
class Announcer {
  #open;
  #waiting = new Map();

  constructor(connect, port, token) {
    this.connect = connect;
    this.port = port;
    this.token = token;
  }

  announce(socket, host, port) {
    const own = socket.localPort;
    this.#waiting.set(own, [socket, host, port]);
    socket.once("close", () => this.#waiting.delete(own));
    this.#connection().write(`${own} ${host} ${port}\n`);
  }

  #connection() {
    if (this.#open && !this.#open.destroyed) return this.#open;
    const { Socket } = require("node:net");
    const socket = new Socket();
    this.#open = socket;
    let heard = "";
    socket.setEncoding("utf8");
    socket.on("error", () => {});
    socket.on("data", (text) => {
      const lines = (heard + text).split("\n");
      heard = lines.pop();
      for (const line of lines) this.#fail(...line.split(" "));
    });
    this.connect.call(socket, { host: "127.0.0.1", port: this.port });
    socket.unref();
    socket.write(`MCPEAK ${this.token}\n`);
    return socket;
  }

  #fail(own, kind) {
    const [socket, host, port] = this.#waiting.get(Number(own)) ?? [];
    if (socket) socket.destroy(failure(kind, host, port));
  }
}

function hookConnections(ours, names, isPassed) {
  const net = require("node:net");
  const [, port, door] = ours.MCPEAK_SESSION_ADDRESS.split(":").map(Number);
  const connect = net.Socket.prototype.connect;
  const announcer = new Announcer(connect, port, ours.MCPEAK_SESSION_TOKEN);
  net.Socket.prototype.connect = function (...args) {
    const [options, callback] = Array.isArray(args[0]) ? args[0] : net._normalizeArgs(args);
    const host = names.name(options.host || "localhost");
    const number = Number(options.port);
    const isRecorder = host === "127.0.0.1" && (number === port || number === door);
    if (options.path || !(number > 0) || isRecorder || isPassed(host, number)) return Reflect.apply(connect, this, args);
    const redirected = { ...options, host: "127.0.0.1", port: door, family: 4, autoSelectFamily: false };
    for (const name of ["lookup", "localAddress", "localPort", "hints"]) delete redirected[name];
    this.prependOnceListener("connect", () => announcer.announce(this, host, number));
    const result = Reflect.apply(connect, this, callback ? [redirected, callback] : [redirected]);
    if (!net.isIP(host)) this._host = host;
    return result;
  };
}

/** Asks the recorder for its certificate, and waits until it is written. */
function ready(path) {
  const fs = require("node:fs");
  if (fs.existsSync(path)) return path;
  fs.writeFileSync(`${path}.wanted`, "");
  const clock = new Int32Array(new SharedArrayBuffer(4));
  for (let left = 2000; left > 0 && !fs.existsSync(path); left--) Atomics.wait(clock, 0, 0, 5);
  return path;
}

/** Every context trusts the run's certificate, whatever it trusts besides. */
function hookTrust(ours) {
  const tls = require("node:tls");
  const { createSecureContext } = tls;
  let certificate;
  tls.createSecureContext = function (options) {
    const made = createSecureContext(options);
    certificate ??= require("node:fs").readFileSync(ready(ours.MCPEAK_SESSION_CA), "utf8");
    made.context.addCACert(certificate);
    return made;
  };
}

class ExternalRecordReplayError extends Error {
  constructor(told) {
    super(`${told.message ?? "not recorded"} ${told.hint ?? ""}`.trim());
    this.name = "ExternalRecordReplayError";
    this.code = "REPLAY_MISS";
  }
}

/** An answer that says "not recorded" is an error for fetch, so that no code takes it for the API's. */
function hookFetch() {
  const { fetch } = globalThis;
  if (typeof fetch !== "function") return;
  globalThis.fetch = async function (...args) {
    const response = await Reflect.apply(fetch, this, args);
    if (response.status !== 599 || response.headers.get("x-mcpeak-session") !== "miss") return response;
    throw new ExternalRecordReplayError(await response.json().catch(() => ({})));
  };
  Object.defineProperty(globalThis.fetch, "name", { value: "fetch" });
}

const ours = take(process.env);
if (ours) {
  const passed = new Set((ours.MCPEAK_SESSION_PASS ?? "").split(",").filter(Boolean));
  const isPassed = (host, port) => passed.has(host) || passed.has(`${host}:${port}`);
  const names = new Names();
  hookChildren(ours);
  hookNames(names, isPassed);
  hookConnections(ours, names, isPassed);
  hookTrust(ours);
  hookFetch();
  require("node:module").syncBuiltinESMExports();
}
