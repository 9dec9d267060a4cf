create function private.notification_part_submission_mentions(member uuid) returns table (id bigint, place jsonb)
  language plpgsql stable set search_path = '' as $$
begin
  if private.effective_level(member) < 1 then
    return;
  end if;
  return query
  select n.id, jsonb_build_object('submission_id', s.id, 'comment_id', c.id, 'excerpt', coalesce(private.excerpt(c.content), s.title))
  from private.newest_notifications(member, array['submission_mention']) n
  join public.learning_submissions s on s.id = n.group_id
  left join public.learning_submission_comments c on c.id = n.subject_id
  where c.id is not null or n.subject_id = s.id;
end
$$;
comment on function private.notification_part_submission_mentions(uuid) is
  'Mentions in submissions and comments, as long as they stand and the member may read them.';

-- By the rules of member_profile.
create function private.may_open_profile(member uuid, reader uuid) returns boolean
  language sql stable set search_path = '' as $$
  select private.effective_level(member) > 0 and not private.is_blocked_between(member, reader)
    and exists (
      select from auth.users u
      where u.id = member and u.deleted_at is null and (u.banned_until is null or u.banned_until <= now())
    )
$$;
comment on function private.may_open_profile(uuid, uuid) is 'True for a member now whose profile the reader finds, without a block between them.';

-- A name without an account stands for two members of that name, or for one whose profile the caller does not find.
create function private.mentions_in(subjects uuid[])
  returns table (subject_id uuid, name text, user_id uuid, is_you boolean)
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
  asked constant uuid[] := subjects[1:100];
  rooms constant text[] := private.caller_room_ids();
  reads_feed constant boolean := private.caller_effective_level() >= 1;
begin
  return query
  with named as (
    select m.message_id as subject, m.user_id as member, m.name as written
    from private.mentions m join public.chat_messages g on g.id = m.message_id
    where m.message_id = any (asked) and g.deleted_at is null and g.chat_room_id = any (rooms)
    union all
    select m.submission_id, m.user_id, m.name from private.mentions m where reads_feed and m.submission_id = any (asked)
    union all
    select m.comment_id, m.user_id, m.name from private.mentions m where reads_feed and m.comment_id = any (asked)
  )
  select n.subject, n.written,
    case when count(*) = 1 and private.may_open_profile(min(n.member::text)::uuid, caller) then min(n.member::text)::uuid end,
    bool_or(n.member = caller)
  from named n group by n.subject, n.written;
end
$$;
comment on function private.mentions_in(uuid[]) is
  'The names after @ in up to 100 messages, submissions and comments that the caller may read, with the account where there is one to show.';
grant execute on function private.mentions_in to authenticated;

-- Names as before, and @everyone where it was announced.
create function public.mentions_in(subjects uuid[])
  returns table (subject_id uuid, name text, user_id uuid, is_you boolean)
  language sql stable set search_path = '' as $$
  select * from private.mentions_in(subjects) union all select * from private.announcements_in(subjects)
$$;
comment on function public.mentions_in(uuid[]) is
  'Who is named in up to 100 messages, submissions and comments. Without an account when the name could be two members or there is no profile to show.';
grant execute on function public.mentions_in to authenticated;

-- Who was named by the member is in the text; by whom the member was named is another person.
create function private.export_part_mentions(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object('mentions', coalesce((
    select jsonb_agg(to_jsonb(m) - 'user_id' order by m.id) from private.mentions m where m.user_id = member
  ), '[]'))
$$;
comment on function private.export_part_mentions(uuid) is 'Where one account was named, without the other persons.';
