import { Hono } from "hono";
import { z } from "zod";
import type { HostContext } from "../context.ts";

const mailBody = z.object({
  to: z.string().min(3).max(320),
  subject: z.string().max(1000),
  text: z.string().max(1_000_000),
  html: z.string().max(1_000_000).optional(),
});

/**
 * Takes the e-mail of functions on an install without a mail server, so that it is in the inbox beside the e-mail of
 * accounts: `POST /` with a server key and a JSON body. To be mounted only where mail is caught.
 */
export function createMailCatcherApp({ keys, mailer }: Pick<HostContext, "keys" | "mailer">): Hono {
  const app = new Hono();
  app.post("/", async (c) => {
    const caller = await keys.resolveCaller(c.req.raw).catch(() => undefined);
    if (caller?.role !== "service_role") return c.json({ message: "Only the server may." }, 403);
    const parsed = mailBody.safeParse(await c.req.json().catch(() => undefined));
    if (!parsed.success) return c.json({ message: "This is not an e-mail." }, 400);
    const { html, ...mail } = parsed.data;
    await mailer.send(html === undefined ? mail : { ...mail, html });
    return c.body(null, 204);
  });
  return app;
}
