import { randomUUID } from "node:crypto";
import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import { onePixelPng } from "../../tools/demo/join.ts";
import { anonymous, serviceRole, type Account } from "../support/clients.ts";
import { administrator, member, newcomer, setSubscriptionStatus } from "./members.ts";
import { messagePictures, postPicture, storeMessagePicture } from "./message-picture.ts";
import { roomAt, setLevel } from "./rooms.ts";

const explanation = "It shows another person's address.";
let ada: Account;
let mallory: Account;
let admin: Account;
beforeAll(async () => {
  [ada, mallory, admin] = [await member(), await member(), await administrator()];
});

/** True when the bytes come, false when the storage says that there is no such object. */
async function reads(reader: Pick<Account, "client">, name: string): Promise<boolean> {
  const bucket = messagePictures(reader);
  const { data, error } = await bucket.download(name);
  const signed = await bucket.createSignedUrl(name, 60);
  const listed = await bucket.list("", { search: name });
  const found = (listed.data ?? []).length === 1;
  expect([signed.error === null, found]).toEqual([data !== null, data !== null]);
  if (error)
    expect(error).toMatchObject({ statusCode: expect.stringMatching(/40[034]/) as string });
  return data !== null;
}

/** What the server reads at the provider of a member's payment, and then of the subscription it paid. */
async function readPayment(
  { id }: Account,
  refund: { amount_refunded: number; is_refunded: boolean },
): Promise<void> {
  const server = serviceRole();
  const nowS = Math.floor(Date.now() / 1000);
  const of = { customer_id: `cus_test_${id}`, subscription_id: `sub_test_${id}` };
  const period = { period_start: nowS, period_end: nowS + 30 * 86_400 };
  const charge = { ...of, ...period, ...refund, charge_id: `ch_${id}`, amount: 5000 };
  const subscription = {
    ...of,
    status: "active",
    price_id: "price_student_access",
    current_period_start: period.period_start,
    current_period_end: period.period_end,
    cancel_at_period_end: false,
    created: nowS,
  };
  for (const [call, snapshot] of [
    ["billing_apply_charge", { ...charge, currency: "gbp", dispute: null, records: [] }],
    ["billing_apply_subscription", subscription],
  ] as const) {
    const { data: ticket } = await server.rpc("billing_next_ticket");
    const { data } = await server.rpc(call, { ticket: ticket as number, snapshot });
    expect(data).toBe("applied");
  }
}

describe("the picture of a message", () => {
  test("is read by those who may read the room, and by nobody else", async () => {
    await setLevel(ada.id, 2);
    const { name } = await postPicture(ada, { room: roomAt[2] });
    const eve = await member();
    expect(await reads(ada, name)).toBe(true);
    expect(await reads(eve, name)).toBe(false);
    await setLevel(eve.id, 2);
    expect(await reads(eve, name)).toBe(true);
    await setLevel(eve.id, 1);
    expect(await reads(eve, name)).toBe(false);
    await setLevel(eve.id, 2);
    await setSubscriptionStatus(eve.id, "past_due");
    expect(await reads(eve, name)).toBe(false);
    expect(await reads(await newcomer(), name)).toBe(false);
    expect(await reads({ client: anonymous() }, name)).toBe(false);
    const open = messagePictures(ada).getPublicUrl(name).data.publicUrl;
    expect((await fetch(open)).status).toBe(400);
    await setLevel(ada.id, 1);
  });

  test("is not shown by an earlier link to one who has left the level, or by one of a deleted message", async () => {
    await setLevel(ada.id, 2);
    const eve = await member();
    await setLevel(eve.id, 2);
    const { message, name } = await postPicture(ada, { room: roomAt[2] });
    const { data } = await messagePictures(eve).createSignedUrl(name, 3600);
    const status = async () => (await fetch(String(data?.signedUrl))).status;
    expect(await status()).toBe(200);
    await setLevel(eve.id, 1);
    expect(await status()).toBe(400);
    await setLevel(eve.id, 2);
    expect(await status()).toBe(200);
    const deleted = await admin.client.rpc("delete_message", { message_id: message, explanation });
    expect(deleted.error).toBeNull();
    expect(await status()).toBe(400);
    await setLevel(ada.id, 1);
  });

  test("is not shown by an earlier link once its signer's payment was refunded in full", async () => {
    const { name } = await postPicture(ada);
    const eve = await member();
    const { data } = await messagePictures(eve).createSignedUrl(name, 3600);
    const status = async () => (await fetch(String(data?.signedUrl))).status;
    await readPayment(eve, { amount_refunded: 2000, is_refunded: false });
    expect(await status()).toBe(200);
    await readPayment(eve, { amount_refunded: 5000, is_refunded: true });
    expect(await status()).toBe(400);
    expect(await reads(eve, name)).toBe(false);
    // The link itself is good: it works again for a member who has paid again.
    await readPayment(eve, { amount_refunded: 0, is_refunded: false });
    expect(await status()).toBe(200);
  });

  test("cannot be read any more from the moment the message is deleted", async () => {
    const { message, name } = await postPicture(ada);
    expect(await reads(mallory, name)).toBe(true);
    const deleted = await admin.client.rpc("delete_message", { message_id: message, explanation });
    expect(deleted.error).toBeNull();
    expect(await reads(mallory, name)).toBe(false);
    expect(await reads(admin, name)).toBe(false);
  });

  test("is read by administrators while a report waits, and not afterwards", async () => {
    const { message, name } = await postPicture(ada, { alt: "A rude drawing" });
    const report = { kind: "message", subject_id: message, reason: "Rude" };
    expect((await mallory.client.rpc("report", report)).error).toBeNull();
    expect((await ada.client.rpc("delete_message", { message_id: message })).error).toBeNull();
    expect([await reads(admin, name), await reads(mallory, name)]).toEqual([true, false]);
    const { data } = await admin.client.rpc("report_queue", { kind: "message" });
    const rows = data as { report_id: number; subject_id: string }[];
    const waiting = rows.filter(({ subject_id }) => subject_id === message);
    expect(waiting).toMatchObject([
      { place: { is_deleted: true }, snapshot: { picture: name, picture_alt: "A rude drawing" } },
    ]);
    const report_id = waiting[0]?.report_id;
    const decision = { report_id, decision: "remove", explanation };
    expect((await admin.client.rpc("resolve_report", decision)).error).toBeNull();
    expect(await reads(admin, name)).toBe(false);
  });

  test("is drawn anew, so that nothing hides in it or behind it", async () => {
    const script = Buffer.from("<script>alert(1)</script>");
    const photo = await sharp({ create: { width: 8, height: 4, channels: 3, background: "teal" } })
      .png()
      .withExif({ IFD0: { Make: "Kamera Werke" } })
      .toBuffer();
    const { name } = await postPicture(ada, { bytes: Buffer.concat([photo, script]) });
    const { data } = await messagePictures(mallory).download(name);
    const stored = Buffer.from((await data?.arrayBuffer()) ?? new ArrayBuffer(0));
    expect((await sharp(stored).metadata()).width).toBe(8);
    expect([stored.includes("script"), stored.includes("Kamera")]).toEqual([false, false]);
  });
});

describe("a forged picture", () => {
  test("is refused when it is a page, a drawing or too large", async () => {
    const bucket = messagePictures(mallory);
    const name = () => `${mallory.id}-${randomUUID()}.png`;
    const page = Buffer.from("<!doctype html><script>alert(1)</script>");
    const drawing = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
    for (const [bytes, contentType] of [
      [page, "image/png"],
      [page, "text/html"],
      [drawing, "image/png"],
      [drawing, "image/svg+xml"],
    ] as const) {
      const { error } = await bucket.upload(name(), bytes, { contentType });
      expect(error).toMatchObject({ statusCode: "415" });
    }
    const large = Buffer.concat([onePixelPng, Buffer.alloc(5 * 1024 * 1024)]);
    const { error } = await bucket.upload(name(), large, { contentType: "image/png" });
    expect(error).toMatchObject({ statusCode: "413" });
  });

  test("of another member is neither stored, replaced, moved, deleted nor attached", async () => {
    const { message, name } = await postPicture(ada);
    const bucket = messagePictures(mallory);
    const png = { contentType: "image/png" };
    const forged = await bucket.upload(`${ada.id}-${randomUUID()}.png`, onePixelPng, png);
    expect(forged.error).toMatchObject({ statusCode: "403" });
    for (const author of [ada, mallory]) {
      const files = messagePictures(author);
      const replaced = await files.upload(name, onePixelPng, { ...png, upsert: true });
      expect(replaced.error).toMatchObject({ statusCode: "403" });
      expect((await files.move(name, `${author.id}-${randomUUID()}.png`)).error).not.toBeNull();
      expect((await files.remove([name])).data ?? []).toEqual([]);
    }
    const waiting = randomUUID();
    const ready = await storeMessagePicture(ada, waiting);
    for (const [id, picture] of [
      [randomUUID(), name],
      [waiting, ready],
      [message, name],
    ]) {
      const { error } = await mallory.client.from("chat_messages").insert({
        id,
        user_id: mallory.id,
        chat_room_id: roomAt[1],
        content: "Mine",
        picture,
        picture_width: 1,
        picture_height: 1,
        picture_alt: "",
      });
      expect(error).toMatchObject({ code: "FF323" });
    }
    const change = { picture: `${mallory.id}-${message}.png` };
    const update = await mallory.client.from("chat_messages").update(change).eq("id", message);
    expect(update.error).toMatchObject({ code: "42501" });
    expect(await reads(mallory, name)).toBe(true);
    expect(await reads(mallory, ready)).toBe(false);
  });
});
