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
  /** The most connections that were open at once. */
  mostOpen: () => number;
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

/** How a sink differs from a server that takes everything at once. */
interface SinkBehaviour {
  /** Milliseconds before each answer. */
  latencyMs?: number;
  /**
   * An answer in place of the usual one, such as a refusal.
   * @param line what the client sent, "" for the greeting and "." for the end of an e-mail.
   * @param place connections that were open when this one was opened, this one included.
   */
  answer?: (line: string, place: number) => string | undefined;
}

/** Starts an SMTP server on a free loopback port. */
export async function startSmtpSink(behaviour: SinkBehaviour = {}): Promise<SmtpSink> {
  const { latencyMs = 0, answer } = behaviour;
  let mostOpen = 0;
  const received: Received[] = [];
  const taken = new Set<Received>();
  const waiting = new Set<() => void>();
  const sockets = new Set<Socket>();

  const server = createServer((socket) => {
    sockets.add(socket);
    const place = sockets.size;
    mostOpen = Math.max(mostOpen, place);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => undefined);
    const write = (line: string) => {
      if (!socket.writable) return;
      socket.write(`${line}\r\n`);
      // RFC 5321: the server closes the connection after this answer.
      if (line.startsWith("421")) socket.end();
    };
    const reply = (line: string) => {
      if (latencyMs === 0) write(line);
      else setTimeout(write, latencyMs, line);
    };
    /** @returns true when the usual answer was replaced. */
    const replaced = (line: string) => {
      const other = answer?.(line, place);
      if (other !== undefined) reply(other);
      return other !== undefined;
    };
    let recipients: string[] = [];
    let data: string | undefined;
    let rest = "";
    const handleLine = (line: string) => {
      if (data !== undefined) {
        if (line !== ".") {
          data += `${line.startsWith("..") ? line.slice(1) : line}\r\n`;
          return;
        }
        if (replaced(line)) {
          [recipients, data] = [[], undefined];
          return;
        }
        for (const to of recipients) received.push(parse(to, data));
        [recipients, data] = [[], undefined];
        for (const wake of waiting) wake();
        reply("250 kept");
      } else if (replaced(line)) {
        return;
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
    if (!replaced("")) reply("220 sink");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;

  const find = (to: string) => received.find((mail) => mail.to === to && !taken.has(mail));
  return {
    url: `smtp://127.0.0.1:${port}`,
    all: () => received,
    mostOpen: () => mostOpen,
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
