import type { SupabaseClient } from "@supabase/supabase-js";
import sharp from "sharp";

/** One demo submission with its comments. */
interface DemoSubmission {
  author: string;
  type: "progress_report" | "before_after" | "failure" | "success";
  title: string;
  content: string;
  hoursAgo: number;
  /** Heights of the bars in its picture, in per cent. */
  bars?: readonly number[];
  featured?: true;
  likedBy?: readonly string[];
  comments?: readonly { by: string; text: string; hoursLater: number }[];
}

const priya = "student1@demo.fourfold.test";
const tom = "student4@demo.fourfold.test";
const helen = "mentor@demo.fourfold.test";
const marcus = "admin@demo.fourfold.test";

const demoSubmissions: readonly DemoSubmission[] = [
  {
    author: priya,
    type: "failure",
    title: "I gave six free assessments and sold nothing",
    content:
      "The running club said yes to everything, so I assessed six people on Saturday for nothing. Not one of them booked.\n\nWhat I got wrong: I never said what comes after. There was no next step to say yes to, and I was too pleased with the turnout to notice.\n\nNext Saturday there are four places, £15 each, and the follow-up is on the same page.",
    hoursAgo: 3,
    likedBy: [tom, helen, marcus],
    comments: [
      {
        by: helen,
        text: "Fifteen pounds is a fair price for an answer. Say on the page what they will know afterwards.",
        hoursLater: 1,
      },
      { by: priya, text: "Done, it is the first line now. Thank you.", hoursLater: 2 },
    ],
  },
  {
    author: tom,
    type: "success",
    title: "Twelve orders in a month, with a waiting list",
    content:
      "October closed at twelve stools and two tables, all from people who saw one in somebody else's kitchen. The picture is orders by month since January.\n\nTwo things did it: one product instead of nine, and a card in every parcel with the next free date on it.",
    hoursAgo: 27,
    bars: [8, 8, 17, 25, 25, 33, 42, 50, 75, 100],
    featured: true,
    likedBy: [priya, helen],
    comments: [
      {
        by: priya,
        text: "The card with the next free date is going into my bag too.",
        hoursLater: 5,
      },
    ],
  },
  {
    author: helen,
    type: "before_after",
    title: "From a shoebox to a Friday habit",
    content:
      "Before: receipts in a box, two bad weeks every January, a guess instead of a margin.\n\nAfter: twenty minutes every Friday at four, one sheet, three numbers. It took three months until nobody had to remind anybody.",
    hoursAgo: 52,
    likedBy: [tom],
  },
  {
    author: priya,
    type: "progress_report",
    title: "Week four: two clinics, nine people, one returning",
    content:
      "Planned two clinics, held two. Nine people came, one of them for the second time.\n\nNext week: ask all nine what they would have paid, and write the answers down before I look at my own price.",
    hoursAgo: 75,
    likedBy: [tom, helen],
  },
];

/** A bar chart as a picture. */
async function drawBars(bars: readonly number[]): Promise<Buffer> {
  const columns = bars.map((height, index) => {
    const tall = height * 6.4;
    return `<rect x="${110 + index * 140}" y="${780 - tall}" width="90" height="${tall}" rx="6" fill="#2f7d62"/>`;
  });
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="900"><rect width="1600" height="900" fill="#f6f4ee"/>${columns.join("")}<rect x="80" y="780" width="1440" height="4" fill="#3a3f4b"/></svg>`;
  return await sharp(Buffer.from(drawing)).png().toBuffer();
}

/** A signed-in demo member. */
export interface DemoMember {
  id: string;
  client: SupabaseClient;
}

function check(error: { message: string } | null): void {
  if (error) throw new Error(error.message);
}

async function share(member: DemoMember, submission: DemoSubmission): Promise<string> {
  let image: string | null = null;
  if (submission.bars) {
    const bucket = member.client.storage.from("learning-images");
    const stored = await bucket.upload(
      `${member.id}-${Date.now()}.png`,
      await drawBars(submission.bars),
      { contentType: "image/png" },
    );
    check(stored.error);
    image = stored.data === null ? null : bucket.getPublicUrl(stored.data.path).data.publicUrl;
  }
  const id = crypto.randomUUID();
  const { error } = await member.client.from("learning_submissions").insert({
    id,
    user_id: member.id,
    submission_type: submission.type,
    title: submission.title,
    content: submission.content,
    image_url: image,
  });
  check(error);
  return id;
}

/**
 * Fills the feed with the demo submissions through the app's own calls; only the times
 * are set afterwards. Does nothing when something was shared before.
 * @param members the signed-in demo members by e-mail address.
 * @param setTime moves a row of a table into the past, as the owner of the database.
 */
export async function seedSubmissions(
  members: ReadonlyMap<string, DemoMember>,
  setTime: (table: string, id: string, hoursAgo: number) => Promise<void>,
): Promise<void> {
  const memberOf = (email: string): DemoMember => {
    const member = members.get(email);
    if (!member) throw new Error(`no demo member ${email}`);
    return member;
  };
  const { client } = memberOf(marcus);
  const before = await client.from("learning_submissions").select("id").limit(1);
  check(before.error);
  if (before.data !== null && before.data.length > 0) return;
  for (const submission of demoSubmissions.toReversed()) {
    const id = await share(memberOf(submission.author), submission);
    await setTime("learning_submissions", id, submission.hoursAgo);
    for (const email of submission.likedBy ?? []) {
      const fan = memberOf(email);
      const like = { user_id: fan.id, submission_id: id };
      check((await fan.client.from("learning_submission_likes").insert(like)).error);
    }
    for (const { by, text, hoursLater } of submission.comments ?? []) {
      const speaker = memberOf(by);
      const comment = crypto.randomUUID();
      const row = { id: comment, user_id: speaker.id, submission_id: id, content: text };
      check((await speaker.client.from("learning_submission_comments").insert(row)).error);
      const hoursAgo = submission.hoursAgo - hoursLater;
      await setTime("learning_submission_comments", comment, hoursAgo);
    }
    if (submission.featured) {
      const mark = { submission_id: id, featured: true };
      check((await client.rpc("feature_submission", mark)).error);
    }
  }
}
