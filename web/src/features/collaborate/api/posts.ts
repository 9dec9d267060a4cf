import type { BackendClient } from "@/lib/backend-client.ts";
import {
  foundPostsFrom,
  ownPostsFrom,
  type FoundPost,
  type Post,
  type PostKind,
  type PostQuery,
} from "../model/post.ts";

/** How many posts one request brings. */
export const postPageSize = 20;

/** The open posts of others after one of them, newest first. Throws the database's error. */
export async function fetchPosts(
  client: BackendClient,
  query: PostQuery,
  after: string | null,
): Promise<readonly FoundPost[]> {
  const asked = Object.fromEntries(
    Object.entries(query).filter(([, value]) => value !== undefined),
  );
  const { data, error } = await client.rpc("collaboration_page", {
    ...asked,
    ...(after === null ? {} : { after_id: after }),
    page_size: postPageSize,
  });
  if (error) throw error;
  return foundPostsFrom(data);
}

/** The member's own posts, open ones first. Throws the database's error. */
export async function fetchOwnPosts(client: BackendClient): Promise<readonly Post[]> {
  const { data, error } = await client.rpc("my_collaboration_posts");
  if (error) throw error;
  return ownPostsFrom(data);
}

export interface PostDraft {
  /** Chosen here, so that sending again makes no second post. */
  readonly id: string;
  readonly kind: PostKind;
  readonly title: string;
  readonly details: string;
  readonly topics: readonly string[];
}

/** Makes a post, or changes an open one of the member. Throws the database's error. */
export async function savePost(client: BackendClient, draft: PostDraft): Promise<void> {
  const { error } = await client.rpc("save_collaboration_post", {
    post_id: draft.id,
    kind: draft.kind,
    title: draft.title,
    details: draft.details,
    topics: [...draft.topics],
  });
  if (error) throw error;
}

/** Closes a post of the member for good. Throws the database's error. */
export async function closePost(client: BackendClient, postId: string): Promise<void> {
  const { error } = await client.rpc("close_collaboration_post", { post_id: postId });
  if (error) throw error;
}
