import { appendFile, copyFile, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expandableId } from "./ids.ts";
import { Persistence } from "./persistence.ts";
import { SandboxState } from "./sandbox-state.ts";
import { client, openFixture, plusPrice } from "./testing/sandbox-fixture.ts";
import { createBasicSubscription } from "./testing/subscribe.ts";
import type { Sandbox } from "./main.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "sandbox-"));
});
afterAll(() => rm(folder, { recursive: true }));

function read(file: string): SandboxState {
  const state = new SandboxState("http://127.0.0.1/sandbox");
  new Persistence(state, file).load();
  return state;
}

function contentOf({ control }: Sandbox) {
  return {
    customers: control.customers(),
    subscriptions: control.subscriptions(),
    invoices: control.invoices(),
    charges: control.charges(),
    disputes: control.disputes(),
    events: control.events(),
    queue: control.queue(),
  };
}

describe("the data file", () => {
  it("holds every change that was answered, without a stop", async () => {
    const file = path.join(folder, "lifecycle.json");
    const first = await openFixture({ dataFile: file });
    const stripe = client(first);
    const plain = await createBasicSubscription(stripe, "pm_card_visa");
    const item = plain.items.data[0]?.id ?? "";
    await stripe.subscriptions.update(plain.id, {
      items: [{ id: item, price: plusPrice }],
      proration_behavior: "always_invoice",
    });
    await first.control.advance({ months: 1 });
    const [charge] = first.control.charges();
    await stripe.refunds.create({ charge: charge?.id ?? "", amount: 100 });
    await stripe.subscriptions.cancel(plain.id);
    const other = await createBasicSubscription(stripe, "pm_card_visa");
    await first.control.openDispute(first.control.charges().at(-1)?.id ?? "");
    await stripe.customers.update(expandableId(other.customer), { name: "Ada" });
    await stripe.customers.del(expandableId(plain.customer));
    const copy = path.join(folder, "copy.json");
    await copyFile(file, copy);
    const second = await openFixture({ dataFile: copy });
    expect(contentOf(second)).toEqual(contentOf(first));
    expect(second.control.now()).toBeGreaterThanOrEqual(first.control.now());
    await Promise.all([first.stop(), second.stop()]);
  });

  it("holds notes that were changed in place, and forgets rows that are gone", async () => {
    const file = path.join(folder, "notes.json");
    const state = new SandboxState("http://127.0.0.1/sandbox");
    const persistence = new Persistence(state, file);
    const note = { testCard: "4242", isSetUp: false, isRetired: false };
    state.tables.cardNotes.set("pm_kept", note);
    state.tables.cardNotes.set("pm_gone", { ...note });
    await persistence.save();
    note.isRetired = true;
    state.tables.cardNotes.delete("pm_gone");
    await persistence.save();
    expect([...read(file).tables.cardNotes]).toEqual([["pm_kept", { ...note, isRetired: true }]]);
    expect((await readFile(file, "utf8")).split("\n")).toHaveLength(3);
  });

  it("leaves out a line that was cut off, and refuses one that is damaged", async () => {
    const file = path.join(folder, "damaged.json");
    const state = new SandboxState("http://127.0.0.1/sandbox");
    const persistence = new Persistence(state, file);
    await persistence.save();
    state.clock.offset = 60;
    await persistence.save();
    await appendFile(file, '{"clockOffset":120,"outbox":[],"put"');
    expect(read(file).clock.offset).toBe(60);
    await appendFile(file, "\n");
    expect(() => read(file)).toThrow(/cannot read its data file/);
  });

  it("grows by what changes, and is written anew when the changes outweigh the rest", async () => {
    const file = path.join(folder, "growing.json");
    const state = new SandboxState("http://127.0.0.1/sandbox");
    const persistence = new Persistence(state, file);
    const answer = { fingerprint: "", status: 200, body: "", requestId: "", storedAt: 0 };
    state.tables.answers.set("large", { ...answer, body: "x".repeat(900_000) });
    await persistence.save();
    const sizes = [];
    for (let n = 0; n < 30; n += 1) {
      state.tables.answers.set("small", { ...answer, body: String(n).repeat(100_000) });
      await persistence.save();
      sizes.push((await stat(file)).size);
    }
    expect((sizes[1] ?? 0) - (sizes[0] ?? 0)).toBeLessThan(150_000);
    expect(Math.max(...sizes)).toBeLessThan(2_500_000);
    expect(read(file).tables.answers.get("small")?.body).toBe("29".repeat(100_000));
    expect(read(file).tables.answers.get("large")?.body).toHaveLength(900_000);
  });
});
