create function private.unlisted_members() returns setof uuid
  language plpgsql stable security definer set search_path = '' as $$
begin
  return query select c.user_id from public.profile_choices c where not c.is_listed;
end
$$;
comment on function private.unlisted_members() is 'Accounts that chose not to be in the directory.';
grant execute on function private.unlisted_members to authenticated;

create function private.caller_company() returns setof uuid
  language plpgsql stable security definer set search_path = '' as $$
begin
  return query
    select l.user_id from private.room_leases l
      where l.expires_at > now() and l.chat_room_id = any (private.caller_room_ids())
    union all
    select n.actor_id from public.notifications n where n.user_id = auth.uid() and n.actor_id is not null;
end
$$;
comment on function private.caller_company() is
  'Accounts that are in a room the calling account may enter, or of whose acts it was told.';
grant execute on function private.caller_company to authenticated;

-- With the caller's rights on purpose: each table's own policies say what the caller may see of a member. One look into each
-- table for each unlisted member, never over all rows of a table.
create function private.caller_hidden_members() returns setof uuid
  language plpgsql stable set search_path = '' as $$
begin
  return query
    select u.id from private.unlisted_members() u (id)
    left join lateral (select true as is_there from public.chat_messages m where m.user_id = u.id limit 1) m on true
    left join lateral (select true as is_there from public.learning_submissions s where s.user_id = u.id limit 1) s on true
    left join lateral (
      select true as is_there from public.learning_submission_comments c where c.user_id = u.id limit 1
    ) c on true
    left join lateral (select true as is_there from public.articles a where a.author_id = u.id limit 1) a on true
    left join lateral (select true as is_there from public.courses k where k.mentor_id = u.id limit 1) k on true
    left join lateral (select true as is_there from public.direct_messages d where d.user_id = u.id limit 1) d on true
    where coalesce(m.is_there, s.is_there, c.is_there, a.is_there, k.is_there, d.is_there) is null
      and u.id not in (select private.caller_company());
end
$$;
comment on function private.caller_hidden_members() is
  'Unlisted accounts of whom the calling account may read nothing they wrote or did, and whom it meets in no room now.';
grant execute on function private.caller_hidden_members to authenticated;
comment on policy select_self_or_member on public.profiles is
  'One''s own, and among members those who are listed or who act where the reader may look. Administrators read all.';

create function private.count_profile_read() returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.enforce_rate_limit(auth.uid(), 'people');
end
$$;
comment on function private.count_profile_read() is
  'Counts a read of the table profiles of the calling account with those of the directory; FF300 above the limit.';
grant execute on function private.count_profile_read to authenticated;
