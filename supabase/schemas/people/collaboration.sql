-- Collaborate: short offers and requests of members, answered in a direct message.
-- Nobody has a privilege on the table: what one may see and do is decided by the functions.
create table private.collaboration_posts (
  id uuid primary key,
  user_id uuid not null references public.profiles (id) on delete cascade,
  kind text not null constraint collaboration_posts_kind_check check (kind in ('offer', 'request')),
  title text not null constraint collaboration_posts_title_check check (char_length(title) between 1 and 80),
  details text not null constraint collaboration_posts_details_check check (char_length(details) between 1 and 600),
  topics text[] not null default '{}' constraint collaboration_posts_topics_check check (cardinality(topics) <= 8),
  topic_keys text[] not null default '{}',
  search_key text collate "C" not null,
  created_at timestamptz not null default clock_timestamp(),
  edited_at timestamptz,
  closed_at timestamptz
);
comment on table private.collaboration_posts is 'Offers and requests of members. Open until closed, at most 60 days.';
comment on column private.collaboration_posts.search_key is 'Result of search_key for title, text and topics.';
comment on column private.collaboration_posts.topic_keys is 'Result of search_key for each topic.';
create index collaboration_posts_open_idx on private.collaboration_posts (created_at desc, id desc) where closed_at is null;
create index collaboration_posts_user_id_idx on private.collaboration_posts (user_id, created_at desc);
alter table private.collaboration_posts enable row level security;

create function private.is_open_post(created_at timestamptz, closed_at timestamptz) returns boolean
  language sql stable set search_path = '' as $$ select closed_at is null and created_at > now() - interval '60 days' $$;
comment on function private.is_open_post(timestamptz, timestamptz) is 'True until a post is closed, for 60 days at most.';

-- The id is the client's, so that trying again after a lost answer makes no second post. A closed post stays closed.
-- @rpc authenticated (post_id, kind, title, details, topics)
-- Makes an offer or a request under an id of the client's, or changes an open one of the caller.
create function private.save_collaboration_post(post uuid, kind text, title text, details text, topics text[] default '{}') returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_member();
  headline constant text := private.trimmed_message(regexp_replace(title, '\s+', ' ', 'g'));
  body constant text := private.trimmed_message(details);
  tidied constant text[] := private.require_topics(coalesce(topics, '{}'));
  keys constant text[] := array(select private.search_key(t) from unnest(tidied) t);
  words constant text := private.search_key(concat_ws(' ', headline, body, array_to_string(tidied, ' ')));
  known private.collaboration_posts;
begin
  if post is null or kind is null or kind not in ('offer', 'request') or headline is null or body is null
    or private.is_blank(headline) or private.is_blank(body) or char_length(headline) > 80 or char_length(body) > 600 then
    perform private.fail('FF830', 'A post is an offer or a request with a title of up to 80 characters and a text of up to 600.');
  end if;
  perform from public.profiles p where p.id = caller for key share;
  perform pg_advisory_xact_lock(hashtextextended('collaboration:' || caller, 0));
  select p.* into known from private.collaboration_posts p where p.id = post for no key update;
  if not found then
    if 5 <= (
      select count(*) from private.collaboration_posts p where p.user_id = caller and private.is_open_post(p.created_at, p.closed_at)
    ) then
      perform private.fail('FF831', 'At most five of your posts are open at a time.');
    end if;
    perform private.enforce_rate_limit(caller, 'collaboration');
    insert into private.collaboration_posts (id, user_id, kind, title, details, topics, topic_keys, search_key)
    values (post, caller, save_collaboration_post.kind, headline, body, tidied, keys, words);
    return;
  end if;
  if known.user_id <> caller or not private.is_open_post(known.created_at, known.closed_at) then
    perform private.fail('FF832', 'There is no such open post of yours.');
  end if;
  if (known.kind, known.title, known.details, known.topics) = (save_collaboration_post.kind, headline, body, tidied) then
    return;
  end if;
  perform private.enforce_rate_limit(caller, 'collaboration');
  update private.collaboration_posts p
  set kind = save_collaboration_post.kind, title = headline, details = body, topics = tidied, topic_keys = keys,
    search_key = words, edited_at = clock_timestamp()
  where p.id = post;
end
$$;
comment on function private.save_collaboration_post(uuid, text, text, text, text[]) is
  'Makes a post of the caller, or changes an open one; FF300, FF700, FF701 or FF830 to FF832.';

-- Open to former members as well: it only takes back what they said.
-- @rpc authenticated (post_id)
-- Closes an offer or a request of the caller for good.
create function private.close_collaboration_post(post uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
begin
  update private.collaboration_posts p set closed_at = coalesce(p.closed_at, clock_timestamp()) where p.id = post and p.user_id = caller;
  if not found then
    perform private.fail('FF832', 'There is no such open post of yours.');
  end if;
end
$$;
comment on function private.close_collaboration_post(uuid) is 'Closes a post of the caller for good. Repeating it does nothing.';

create function private.describe_post(post private.collaboration_posts) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'id', post.id, 'kind', post.kind, 'title', post.title, 'details', post.details, 'topics', to_jsonb(post.topics),
    'created_at', post.created_at, 'edited_at', post.edited_at, 'ends_at', post.created_at + interval '60 days',
    'is_open', private.is_open_post(post.created_at, post.closed_at)
  )
$$;
comment on function private.describe_post(private.collaboration_posts) is 'What members read of a post, without its author.';

create function private.can_see_posts_of(author uuid, reader uuid) returns boolean
  language sql stable set search_path = '' as $$
  select private.effective_level(author) > 0 and not private.is_blocked_between(author, reader)
    and not exists (select from auth.users u where u.id = author and u.banned_until > now())
$$;
comment on function private.can_see_posts_of(uuid, uuid) is 'True while the author is a member and neither has blocked the other.';

-- @rpc authenticated
-- Open offers and requests of other members, by words that may be misspelt, kind, level of the author and topic; the page after the post
-- after_id.
create function private.collaboration_page(
    search text default null, kind text default null, level integer default null, topic text default null,
    after_id uuid default null, page_size integer default 20
  )
  returns setof jsonb language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_member();
  words constant text[] := array(
    select w from string_to_table(private.search_key(left(coalesce(search, ''), 200)), ' ') w where w <> '' limit 6
  );
  topic_key constant text := nullif(private.search_key(left(coalesce(topic, ''), 40)), '');
  after private.collaboration_posts;
begin
  perform private.enforce_rate_limit(caller, 'people');
  if kind not in ('offer', 'request') or level not between 1 and 4 then
    perform private.fail('FF705', 'There is no such filter.');
  end if;
  -- Longer than anything there is to find.
  if char_length(search) > 200 or char_length(topic) > 40 then
    return;
  end if;
  if after_id is not null then
    -- Rows after a post that a block hides would tell that it is still there. Closed ones stay a place to go on from.
    select p.* into after from private.collaboration_posts p
    where p.id = after_id and (p.user_id = caller or private.can_see_posts_of(p.user_id, caller));
    if not found then
      return;
    end if;
  end if;
  perform set_config('pg_trgm.word_similarity_threshold', '0.45', true);
  return query
    select private.describe_post(p) || jsonb_build_object(
      'author', private.describe_member(p.user_id) || jsonb_build_object('level', private.effective_level(p.user_id))
    )
    from private.collaboration_posts p
    where p.closed_at is null and private.is_open_post(p.created_at, p.closed_at) and p.user_id <> caller
      and (collaboration_page.kind is null or p.kind = collaboration_page.kind)
      and (topic_key is null or p.topic_keys @> array[topic_key])
      and (after_id is null or (p.created_at, p.id) < (after.created_at, after.id))
      and not exists (
        select from unnest(words) w
        where p.search_key not like private.like_part(w) and not (w operator(extensions.<%) p.search_key)
      )
      and private.can_see_posts_of(p.user_id, caller)
      and (level is null or private.effective_level(p.user_id) = level)
    order by p.created_at desc, p.id desc
    limit least(greatest(coalesce(page_size, 20), 1), 50);
end
$$;
comment on function private.collaboration_page(text, text, integer, text, uuid, integer) is
  'One page of the open posts of other members that match every filter that is not null, newest first; FF705 for an unknown one. Limited.';

-- @rpc authenticated
-- The caller's own offers and requests, open ones first.
create function private.my_collaboration_posts() returns setof jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_member();
begin
  return query
    select private.describe_post(p) from private.collaboration_posts p where p.user_id = caller
    order by private.is_open_post(p.created_at, p.closed_at) desc, p.created_at desc, p.id desc limit 20;
end
$$;
comment on function private.my_collaboration_posts() is 'The caller''s own posts, open ones first, at most 20.';
