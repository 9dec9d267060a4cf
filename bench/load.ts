// A load generator in its own process: `load.ts URL[,URL…] KEY CONNECTIONS MILLISECONDS [TOKEN]` prints requests per second.
import { Agent, get } from "node:http";

const [urls = "", key = "", connections = "10", milliseconds = "3000", token = key] =
  process.argv.slice(2);
const headers = { apikey: key, authorization: `Bearer ${token}` };
const agent = new Agent({ keepAlive: true, maxSockets: Number(connections) });
const endsAt = performance.now() + Number(milliseconds);
let answered = 0;

async function request(url: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    get(url, { agent, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`status ${response.statusCode}`));
      response.resume().once("end", resolve);
    }).once("error", reject);
  });
  answered += 1;
}

const startedAt = performance.now();
await Promise.all(
  Array.from({ length: Number(connections) }, async (_, at) => {
    const all = urls.split(",");
    while (performance.now() < endsAt) await request(all[at % all.length] ?? "");
  }),
);
agent.destroy();
process.stdout.write(String(Math.round((answered / (performance.now() - startedAt)) * 1000)));
