-- Written by `npm run gen` from the lines with @rpc; change those.

create function public.save_collaboration_post(post_id uuid, kind text, title text, details text, topics text[] default '{}'::text[]) returns void
  language sql volatile set search_path = '' as $$ select private.save_collaboration_post(post_id, kind, title, details, topics) $$;
comment on function public.save_collaboration_post is 'Makes an offer or a request under an id of the client''s, or changes an open one of the caller.';
grant execute on function private.save_collaboration_post, public.save_collaboration_post to authenticated;

create function public.close_collaboration_post(post_id uuid) returns void
  language sql volatile set search_path = '' as $$ select private.close_collaboration_post(post_id) $$;
comment on function public.close_collaboration_post is 'Closes an offer or a request of the caller for good.';
grant execute on function private.close_collaboration_post, public.close_collaboration_post to authenticated;

create function public.collaboration_page(search text default NULL::text, kind text default NULL::text, level integer default NULL::integer, topic text default NULL::text, after_id uuid default NULL::uuid, page_size integer default 20) returns setof jsonb
  language sql volatile set search_path = '' as $$ select * from private.collaboration_page(search, kind, level, topic, after_id, page_size) $$;
comment on function public.collaboration_page is 'Open offers and requests of other members, by words that may be misspelt, kind, level of the author and topic; the page after the post after_id.';
grant execute on function private.collaboration_page, public.collaboration_page to authenticated;

create function public.my_collaboration_posts() returns setof jsonb
  language sql stable set search_path = '' as $$ select * from private.my_collaboration_posts() $$;
comment on function public.my_collaboration_posts is 'The caller''s own offers and requests, open ones first.';
grant execute on function private.my_collaboration_posts, public.my_collaboration_posts to authenticated;

create function public.member_profile(member_id uuid) returns jsonb
  language sql volatile set search_path = '' as $$ select private.member_profile(member_id) $$;
comment on function public.member_profile is 'The profile of a member as another sees it; null when there is none to see. Of a member the caller has blocked only the name.';
grant execute on function private.member_profile, public.member_profile to authenticated;

create function public.people_page(search text default NULL::text, level integer default NULL::integer, role text default NULL::text, occupation text default NULL::text, topic text default NULL::text, after_id uuid default NULL::uuid, page_size integer default 24) returns table(user_id uuid, name text, role_name text, occupation_name text, avatar_url text, member_level integer, topics text[], bio text)
  language sql volatile set search_path = '' as $$ select * from private.people_page(search, level, role, occupation, topic, after_id, page_size) $$;
comment on function public.people_page is 'Members: who is here, by words that may be misspelt, level, role, occupation and topic; best matches first, then mentors, then by name; the page after the member after_id.';
grant execute on function private.people_page, public.people_page to authenticated;

create function public.block_member(member_id uuid) returns void
  language sql volatile set search_path = '' as $$ select private.block_member(member_id) $$;
comment on function public.block_member is 'Hides the caller and another member from each other, and deletes what the caller''s bell says of the other.';
grant execute on function private.block_member, public.block_member to authenticated;

create function public.unblock_member(member_id uuid) returns void
  language sql volatile set search_path = '' as $$ select private.unblock_member(member_id) $$;
comment on function public.unblock_member is 'Takes back the caller''s block of a member.';
grant execute on function private.unblock_member, public.unblock_member to authenticated;

create function public.my_blocks() returns table(member_id uuid, name text, avatar_url text, created_at timestamp with time zone)
  language sql stable set search_path = '' as $$ select * from private.my_blocks() $$;
comment on function public.my_blocks is 'Whom the caller has blocked, newest first.';
grant execute on function private.my_blocks, public.my_blocks to authenticated;
