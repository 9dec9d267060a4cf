// The studio as a mentor sees it, over a server that keeps one draft.
import {
  adaId,
  memberRows,
  nothingTold,
  renderApp,
  sessionOf,
  type Reply,
} from "@/app/testing/test-app.tsx";
import {
  toDraftFields,
  type DraftContent,
  type DraftKind,
  type DraftStatus,
} from "../model/draft.ts";

export const draftId = "44444444-4444-4444-8444-444444444444";

export const writtenContent: DraftContent = {
  title: "A Plan for Monday",
  subcategoryId: null,
  slug: "a-plan-for-monday",
  excerpt: "",
  tags: [],
  content: "",
  difficulty: "beginner",
  price: 0,
  modules: [],
  cover: null,
};

/** The row of a draft that nobody has submitted. */
export const draftRow = {
  id: draftId,
  owner_id: adaId,
  owner: { first_name: "Ada", last_name: "Lovelace" },
  kind: "article",
  status: "draft",
  title: writtenContent.title,
  version: 3,
  published_version: null,
  submitted_at: null,
  publish_at: null,
  updated_at: "2026-03-01T10:00:00+00:00",
};

interface Save {
  readonly expected_version: number;
  readonly fields: ReturnType<typeof toDraftFields>;
}

interface StudioServer {
  /** Version of the draft; a test raises it to save from elsewhere. */
  version: number;
  fields: Save["fields"];
  /** A test changes it as an administrator or another tab does. */
  status: DraftStatus;
  readsFail: boolean;
  savesFail: boolean;
  /** The membership has ended: no page of the studio is open, and nothing is saved. */
  isOver: boolean;
  /** Whether the draft was begun. */
  exists: boolean;
  readonly saves: Save[];
  /** Fields of the drafts that were imported. */
  readonly imports: Save["fields"][];
}

const notReady: Reply = {
  status: 400,
  body: {
    code: "FF654",
    message: "Not ready",
    details: JSON.stringify([{ field: "tags", message: "Give it a tag." }]),
  },
};

/** Opens the studio at an address. */
export function openStudio(
  path: string,
  options: {
    readonly kind?: DraftKind;
    readonly content?: Partial<DraftContent>;
    /** No submission is taken: its tags are missing. */
    readonly refuses?: boolean;
  } = {},
) {
  const server: StudioServer = {
    version: 3,
    fields: toDraftFields({ ...writtenContent, ...options.content }),
    status: "draft",
    readsFail: false,
    savesFail: false,
    isOver: false,
    exists: true,
    saves: [],
    imports: [],
  };
  function save(body: Save): Reply {
    if (server.isOver) return { status: 400, body: { code: "FF650", message: "Only mentors." } };
    if (server.savesFail) return { status: 500, body: { message: "down" } };
    if (body.expected_version !== server.version) {
      const conflict = { code: "FF652", message: "newer", details: String(server.version) };
      return { status: 400, body: conflict };
    }
    server.saves.push(body);
    server.fields = body.fields;
    server.version += 1;
    return { body: server.version };
  }
  function reply(call: string, body: unknown): Reply | undefined {
    if (server.isOver && call === "GET /rest/v1/stripe_subscriptions") {
      const ended = { customer_id: "cus_1", subscription_id: "sub_1", status: "canceled" };
      return { body: [ended] };
    }
    if (server.isOver && call.endsWith("/rpc/my_notifications")) {
      const told = { id: 9, created_at: "2026-11-20T10:00:00+00:00", unread: true, others: 0 };
      const item = { ...told, detail: null, actor: null, kind: "membership_ended" };
      return { body: { ...nothingTold, unread: 1, items: [item] } };
    }
    switch (call.slice(call.lastIndexOf("/") + 1)) {
      case "save_draft":
        return save(body as Save);
      case "import_draft":
        server.imports.push((body as Save).fields);
        return { body: { draft_id: draftId, is_new: true } };
      case "create_draft":
        server.exists = true;
        return { body: draftId };
      case "submit_draft":
        return options.refuses === true ? notReady : undefined;
      case "may_publish_draft":
        return { body: false };
      case "waiting_questions":
      case "studio_subcategories":
        return { body: [] };
      case "drafts":
        return server.readsFail ? { status: 500, body: { message: "down" } } : undefined;
      default:
        return undefined;
    }
  }
  const view = renderApp(path, {
    session: sessionOf(),
    rows: {
      ...memberRows({ role: "mentor" }),
      get drafts() {
        const { version, fields, status } = server;
        const kind = options.kind ?? "article";
        const row = { ...draftRow, kind, status, title: fields.title, version };
        return server.exists ? [row] : [];
      },
      get draft_versions() {
        return server.fields;
      },
      draft_comments: [],
    },
    reply: ({ call, body }) => reply(call, body),
  });
  return { ...view, server };
}
