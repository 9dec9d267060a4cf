import type { AttackAccount } from "../attack-accounts.ts";
import type { AttackKind } from "../attack-kind.ts";
import type { HostileClient, HostileFile } from "../hostile-client.ts";
import { hugePng, type ImageShape } from "../huge-images.ts";

const perClient = 3;

const png = (shape: ImageShape): HostileFile => ({ type: "image/png", bytes: hugePng(shape) });
const liar = (type: string, text: string): HostileFile => ({
  type,
  bytes: Buffer.from(`${text}${"<script>alert(1)</script>".repeat(2000)}`, "latin1"),
});

/** What a client sends, and as whom it sends it where. */
interface Upload {
  file: HostileFile;
  person: (client: HostileClient) => AttackAccount;
  name: (id: string, stamp: number) => string;
}

const unpaid = (client: HostileClient) => client.unpaid;
const member = (client: HostileClient) => client.member;
const mentor = (client: HostileClient) => client.mentor;

function uploads(): Upload[] {
  const images = [
    // Too large by their header.
    png({ side: 7000, bits: 16, colour: 6, isInterlaced: true }),
    png({ side: 7000, bits: 8, colour: 6, isInterlaced: true }),
    // Nearly the most that is decoded: as a whole, and row by row.
    png({ side: 7000, bits: 16, colour: 0, isInterlaced: true }),
    png({ side: 7000, bits: 8, colour: 2, isInterlaced: false }),
  ];
  const pdfs = [liar("application/pdf", "%PDF-1.7\n"), liar("application/pdf", "<!doctype html>")];
  const films = [
    liar("video/mp4", "\0\0\0\u0018ftypmp42\0\0\0\0mp42isom"),
    liar("video/webm", "\u001aE\u00df\u00a3"),
  ];
  const document = (id: string, stamp: number) =>
    `verification-documents/${id}-verification-${stamp}`;
  return [
    ...images.map((file) => ({
      file,
      person: unpaid,
      name: (id: string, stamp: number) => `${document(id, stamp)}.png`,
    })),
    ...images.flatMap((file) =>
      ["profile-pictures", "learning-images"].map((bucket) => ({
        file,
        person: member,
        name: (id: string, stamp: number) => `${bucket}/${id}-${stamp}.png`,
      })),
    ),
    ...images.map((file) => ({
      file,
      person: mentor,
      name: (id: string, stamp: number) => `content-pictures/${id}-${stamp}.png`,
    })),
    ...pdfs.map((file) => ({
      file,
      person: unpaid,
      name: (id: string, stamp: number) => `${document(id, stamp)}.pdf`,
    })),
    ...films.map((file) => ({
      file,
      person: mentor,
      name: (id: string, stamp: number) =>
        `course-films/${id}-${stamp}.${file.type.replace("video/", "")}`,
    })),
  ];
}

/** Small files that become huge images, and files that are not what they say. */
export const hostileFiles: AttackKind = {
  name: "hostile files",
  tries:
    "images of 49 megapixels in a few hundred kilobytes, interlaced and of 16 bits, as identity documents and pictures; PDFs and films that are none",
  attemptsPerSecond: 10 * perClient,
  run: async (client) => {
    const all = uploads();
    await client.pace(perClient, async (turn) => {
      const upload = all[(turn + client.index) % all.length];
      if (upload === undefined) return;
      const person = upload.person(client);
      const stamp = Date.now() * 100 + client.index;
      await client.request("POST", `/storage/v1/object/${upload.name(person.id, stamp)}`, {
        person,
        file: upload.file,
      });
    });
  },
};
