// A server that asks from a worker thread and from a child process.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { Worker, isMainThread, parentPort, workerData } from "node:worker_threads";

if (isMainThread && process.argv[3] !== "child") {
  const base = process.argv[2];
  const fromThread = await new Promise((done, failed) => {
    const worker = new Worker(fileURLToPath(import.meta.url), { workerData: base });
    worker.on("message", done);
    worker.on("error", failed);
  });
  const fromChild = await new Promise((done) => {
    const child = spawn(process.execPath, [fileURLToPath(import.meta.url), base, "child"], { env: { PATH: process.env.PATH } });
    let text = "";
    child.stdout.on("data", (piece) => (text += piece));
    child.on("close", () => done(JSON.parse(text)));
  });
  console.log(JSON.stringify([...fromThread, ...fromChild]));
} else {
  const base = isMainThread ? process.argv[2] : workerData;
  const answer = await fetch(base + (isMainThread ? "/json?x=1" : "/json?x=2"));
  const told = [answer.status, await answer.text()];
  if (isMainThread) console.log(JSON.stringify(told));
  else parentPort.postMessage(told);
}
