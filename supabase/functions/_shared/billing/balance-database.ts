import { z } from "zod";
import { callRpc, type DatabaseClient } from "../database/database-client.ts";
import type { BalanceMovement } from "./balance-movement.ts";

/** What the database keeps of the balance at the provider. Every method throws the database's error. */
export class BalanceDatabase {
  readonly #service: DatabaseClient;

  constructor(service: DatabaseClient) {
    this.#service = service;
  }

  /** From when on the balance is to be read, in epoch seconds. */
  async readFrom(): Promise<number> {
    return z.number().parse(await callRpc(this.#service, "billing_balance_read_from", {}));
  }

  /** Keeps movements of the balance, which was read without a gap until a moment in epoch seconds. */
  async keep(movements: BalanceMovement[], readUntil: number): Promise<void> {
    const args = { movements, read_until: readUntil };
    await callRpc(this.#service, "billing_keep_balance", args);
  }
}
