// A load generator in its own process: `load.ts URL[,URL…] KEY CONNECTIONS MILLISECONDS [TOKEN]` prints requests per second.
import { openPlainHttp } from "./plain-http.ts";

const [urls = "", key = "", connections = "10", milliseconds = "3000", token = key] =
  process.argv.slice(2);
const headers = { apikey: key, authorization: `Bearer ${token}` };
const all = urls.split(",");
const clients = await Promise.all(
  Array.from(
    { length: Number(connections) },
    async (_, at) => await openPlainHttp(all[at % all.length] ?? "", headers),
  ),
);
const startedAt = performance.now();
const endsAt = startedAt + Number(milliseconds);
let answered = 0;
await Promise.all(
  clients.map(async (client) => {
    while (performance.now() < endsAt) {
      await client.ask();
      answered += 1;
    }
  }),
);
const perSecond = Math.round((answered / (performance.now() - startedAt)) * 1000);
for (const client of clients) client.close();
process.stdout.write(String(perSecond));
