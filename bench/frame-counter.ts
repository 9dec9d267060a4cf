import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { CounterOrder } from "./count-frames.ts";

const counterScript = fileURLToPath(new URL("count-frames.ts", import.meta.url));

/** Room messages, readable by rank as in the fixture project's notes. */
export const benchMessagesSql = `
  create table public.bench_messages (
    id uuid primary key default gen_random_uuid(),
    room_id int not null,
    author uuid not null,
    body text not null,
    at timestamptz not null default now()
  );
  alter table public.bench_messages enable row level security;
  grant select on public.bench_messages to authenticated;
  create policy select_by_rank on public.bench_messages for select to authenticated using (
    exists (select from public.rooms r
             where r.id = room_id and r.level <= (select public.rank_of((select auth.uid())))));
  create function public.bench_authorized_users(message public.bench_messages, user_ids uuid[]) returns uuid[]
    language plpgsql stable security definer set search_path = '' as $$
  begin
    return array(select k.user_id from public.ranks k
      join public.rooms r on r.id = message.room_id and r.level <= k.level where k.user_id = any (user_ids));
  end
  $$;
  comment on policy select_by_rank on public.bench_messages is '@authorizer public.bench_authorized_users';
  alter publication supabase_realtime add table public.bench_messages;`;

/** The process whose sockets count received frames. */
export class FrameCounter {
  readonly #process: ChildProcess = fork(counterScript);

  async #ask(order: CounterOrder): Promise<void> {
    this.#process.send(order);
    await once(this.#process, "message");
  }

  async open(
    url: string,
    count: number,
    joins: readonly string[],
    framesToJoin: number,
  ): Promise<void> {
    await this.#ask({ open: { url, count, joins, framesToJoin } });
  }

  /** Milliseconds from the start of `work` until so many frames have arrived, and one of them. */
  async time(frames: number, work: () => Promise<void>): Promise<{ ms: number; sample: string }> {
    await this.#ask({ expect: frames });
    const arrived = once(this.#process, "message") as Promise<[{ sample: string }]>;
    const startedAt = performance.now();
    await work();
    const [{ sample }] = await arrived;
    return { ms: performance.now() - startedAt, sample };
  }

  close(): void {
    this.#process.kill();
  }
}
