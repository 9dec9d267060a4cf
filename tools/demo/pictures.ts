import type { SupabaseClient } from "@supabase/supabase-js";
import sharp from "sharp";
import type { DemoMember } from "./submissions.ts";

/** Colours of a drawn portrait. */
interface Portrait {
  wall: string;
  skin: string;
  hair: string;
  shirt: string;
  /** Pixels the hair reaches below the crown. */
  hairLength: number;
}

/** By e-mail address. The other demo members show their initials. */
const portraits: ReadonlyMap<string, Portrait> = new Map([
  [
    "student4@demo.fourfold.test",
    { wall: "#d8c3a0", skin: "#e2ab86", hair: "#6b4426", shirt: "#2f5d50", hairLength: 150 },
  ],
  [
    "mentor@demo.fourfold.test",
    { wall: "#b9cfd6", skin: "#7c4d33", hair: "#1d1613", shirt: "#8c2f39", hairLength: 290 },
  ],
]);

async function drawPortrait(portrait: Portrait): Promise<Buffer> {
  const { wall, skin, hair, shirt, hairLength } = portrait;
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="512" height="512"><rect width="512" height="512" fill="${wall}"/><rect x="136" y="84" width="240" height="${hairLength}" rx="118" fill="${hair}"/><path d="M60 512c0-110 88-150 196-150s196 40 196 150z" fill="${shirt}"/><path d="M214 300h84v66c0 26-84 26-84 0z" fill="${skin}"/><ellipse cx="256" cy="230" rx="92" ry="112" fill="${skin}"/><path d="M152 226c0-150 208-150 208 0-24-62-64-78-104-78s-80 16-104 78z" fill="${hair}"/></svg>`;
  return await sharp(Buffer.from(drawing)).jpeg({ quality: 90 }).toBuffer();
}

async function hasPicture(client: SupabaseClient, id: string): Promise<boolean> {
  const { data, error } = await client.from("profiles").select("avatar_url").eq("id", id).single();
  if (error) throw new Error(error.message);
  return data.avatar_url !== null;
}

/** Gives two demo members a picture, through the app's own calls. Leaves a member with a picture as they are. */
export async function seedPictures(members: ReadonlyMap<string, DemoMember>): Promise<void> {
  for (const [email, portrait] of portraits) {
    const member = members.get(email);
    if (!member) throw new Error(`no demo member ${email}`);
    const { id, client } = member;
    if (await hasPicture(client, id)) continue;
    const name = `${id}-${Date.now()}.jpg`;
    const stored = await client.storage
      .from("profile-pictures")
      .upload(name, await drawPortrait(portrait), { contentType: "image/jpeg" });
    if (stored.error) throw stored.error;
    const shown = await client.rpc("set_my_picture", { name });
    if (shown.error) throw new Error(shown.error.message);
  }
}
