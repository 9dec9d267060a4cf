alter table public.profiles validate constraint profiles_avatar_url_check;

-- Messages show the picture of their author.
alter type public.room_message add attribute author_avatar_url text;

create or replace function private.present_messages(page public.chat_messages[])
  returns setof public.room_message
  language plpgsql stable rows 50 set search_path = ''
  set plan_cache_mode = 'force_generic_plan' as $$
begin
  return query select m.id, m.user_id, m.chat_room_id, m.content, m.message_type, m.parent_message_id,
    m.like_count, m.created_at, m.edited_at, m.deleted_at, m.changed_at,
    a.first_name, a.last_name, a.role, a.occupation,
    exists (
      select from public.message_likes l where l.user_id = (select auth.uid()) and l.message_id = m.id
    ),
    q.content, q.author, a.avatar_url
  from unnest(page) with ordinality as m
  left join lateral (
    select p.first_name, p.last_name, p.role, p.occupation, p.avatar_url
    from public.profiles p where p.id = m.user_id offset 0
  ) a on true
  left join lateral (
    select left(p.content, 200) as content,
      (select concat_ws(' ', f.first_name, f.last_name) from public.profiles f where f.id = p.user_id) as author
    from public.chat_messages p where p.id = m.parent_message_id and p.deleted_at is null offset 0
  ) q on true
  order by m.ordinality;
end
$$;
