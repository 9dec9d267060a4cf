import { createServer, type Socket } from "node:net";
import { clearTimeout, setTimeout } from "node:timers";

/** A received e-mail. */
interface Received {
  to: string;
  subject: string;
  /** The plain-text part, decoded. */
  text: string;
  raw: string;
}

/** An SMTP server that keeps every e-mail and delivers none. */
export interface SmtpSink {
  url: string;
  /** The next e-mail to `to` not yet returned; waits for it up to five seconds. */
  next: (to: string) => Promise<Received>;
  /** All e-mails so far. */
  all: () => readonly Received[];
  stop: () => Promise<void>;
}

function decodeQuotedPrintable(text: string): string {
  const bytes = text
    .replace(/=\r?\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_whole, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}

function decodeHeader(value: string): string {
  return value.replace(/=\?UTF-8\?([QB])\?([^?]*)\?=\s*/gi, (_whole, kind: string, body: string) =>
    kind.toUpperCase() === "B"
      ? Buffer.from(body, "base64").toString("utf8")
      : decodeQuotedPrintable(body.replaceAll("_", " ")),
  );
}

function parse(to: string, raw: string): Received {
  const unfolded = raw.replace(/\r\n[ \t]+/g, " ");
  const subject = decodeHeader(/^Subject: (.*)$/im.exec(unfolded)?.[1]?.trim() ?? "");
  const part = /Content-Type: text\/plain[\s\S]*?\r\n\r\n([\s\S]*?)(?:\r\n--|$)/i.exec(raw);
  const head = part?.[0].slice(0, part[0].indexOf("\r\n\r\n")) ?? "";
  const body = part?.[1] ?? "";
  const text = /base64/i.test(head)
    ? Buffer.from(body, "base64").toString("utf8")
    : /quoted-printable/i.test(head)
      ? decodeQuotedPrintable(body)
      : body;
  return { to, subject, text, raw };
}

/** Starts an SMTP server on a free loopback port. */
export async function startSmtpSink(): Promise<SmtpSink> {
  const received: Received[] = [];
  const taken = new Set<Received>();
  const waiting = new Set<() => void>();
  const sockets = new Set<Socket>();

  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => undefined);
    const reply = (line: string) => socket.write(`${line}\r\n`);
    let recipients: string[] = [];
    let data: string | undefined;
    let rest = "";
    const handleLine = (line: string) => {
      if (data !== undefined) {
        if (line !== ".") {
          data += `${line.startsWith("..") ? line.slice(1) : line}\r\n`;
          return;
        }
        for (const to of recipients) received.push(parse(to, data));
        [recipients, data] = [[], undefined];
        for (const wake of waiting) wake();
        reply("250 kept");
      } else if (/^RCPT TO:/i.test(line)) {
        recipients.push(/<(.*)>/.exec(line)?.[1] ?? "");
        reply("250 ok");
      } else if (/^DATA/i.test(line)) {
        data = "";
        reply("354 go on");
      } else if (/^QUIT/i.test(line)) {
        reply("221 bye");
        socket.end();
      } else {
        reply("250 ok");
      }
    };
    socket.setEncoding("latin1").on("data", (chunk: string) => {
      const lines = (rest + chunk).split("\r\n");
      rest = lines.pop() ?? "";
      for (const line of lines) handleLine(line);
    });
    reply("220 sink");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;

  const find = (to: string) => received.find((mail) => mail.to === to && !taken.has(mail));
  return {
    url: `smtp://127.0.0.1:${port}`,
    all: () => received,
    next: async (to) =>
      await new Promise((resolve, reject) => {
        const look = () => {
          const mail = find(to);
          if (!mail) return;
          clearTimeout(timer);
          waiting.delete(look);
          taken.add(mail);
          resolve(mail);
        };
        const timer = setTimeout(() => {
          waiting.delete(look);
          reject(new Error(`no e-mail to ${to} arrived`));
        }, 5000);
        waiting.add(look);
        look();
      }),
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
