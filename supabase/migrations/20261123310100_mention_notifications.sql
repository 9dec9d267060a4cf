-- A mention is shown by the rule of replies: the room is open to the reader and the message stands.
alter table public.notifications validate constraint notifications_kind_check;

create or replace function private.visible_notifications(member uuid)
  returns table (
    id bigint, kind text, actor_id uuid, group_id uuid, detail text, created_at timestamptz, read_at timestamptz,
    chat_room_id text, submission_id uuid, excerpt text
  )
  language plpgsql stable security definer set search_path = '' as $$
declare
  allowed constant integer := private.effective_level(member);
  rooms constant text[] := array(select r.id from public.chat_rooms r where r.is_active and r.min_level_required <= allowed);
  owes constant boolean := exists (
    select from public.stripe_customers c join public.stripe_subscriptions s using (customer_id)
    where c.user_id = member and s.status in ('past_due', 'unpaid')
  );
begin
  return query
  select n.id, n.kind, n.actor_id, n.group_id, n.detail, n.created_at, n.read_at, m.chat_room_id, s.id,
    coalesce(m.excerpt, s.title, q.excerpt)
  from (
    select * from public.notifications o where o.user_id = member order by o.created_at desc, o.id desc limit 1000
  ) n
  left join lateral (
    select g.chat_room_id, left(g.content, 140) as excerpt from public.chat_messages g
    where n.kind in ('reply', 'message_like', 'mention') and g.id = n.subject_id and g.deleted_at is null
      and g.chat_room_id = any (rooms) offset 0
  ) m on true
  left join lateral (
    select g.id, g.title from public.learning_submissions g
    where n.kind in ('submission_like', 'submission_comment') and g.id = n.group_id and allowed >= 1 offset 0
  ) s on true
  left join lateral (
    select left(case n.kind when 'question' then g.question else g.answer end, 140) as excerpt
    from private.content_questions g
    where n.kind in ('question', 'answer') and g.id = n.subject_id and private.may_read_text(member, g.article_id, g.module_id)
      and (n.kind = 'answer' or private.may_answer(member, g.article_id, g.module_id))
      offset 0
  ) q on true
  where case n.kind
    when 'reply' then m.chat_room_id is not null
    when 'mention' then m.chat_room_id is not null
    when 'message_like' then m.chat_room_id is not null and exists (
      select from public.message_likes l where l.user_id = n.actor_id and l.message_id = n.subject_id)
    when 'submission_like' then s.id is not null and exists (
      select from public.learning_submission_likes l where l.user_id = n.actor_id and l.submission_id = n.group_id)
    when 'submission_comment' then s.id is not null and exists (
      select from public.learning_submission_comments c where c.id = n.subject_id)
    when 'payment_failed' then owes
    when 'question' then q.excerpt is not null
    when 'answer' then q.excerpt is not null
    else true
  end;
end
$$;

create or replace function private.my_notifications(before timestamptz, page_size integer) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
  size constant integer := least(greatest(coalesce(page_size, 20), 1), 50);
begin
  return (
    with visible as (
      select v.* from private.visible_notifications(caller) v
    ), groups as (
      select v.kind, v.group_id, v.detail,
        max(v.id) as id, max(v.created_at) as created_at, bool_or(v.read_at is null) as unread,
        count(distinct v.actor_id) as actors,
        (array_agg(v.actor_id order by v.created_at desc, v.id desc))[1] as actor_id,
        (array_agg(v.chat_room_id order by v.created_at desc, v.id desc))[1] as chat_room_id,
        (array_agg(v.submission_id order by v.created_at desc, v.id desc))[1] as submission_id,
        (array_agg(v.excerpt order by v.created_at desc, v.id desc))[1] as excerpt
      from visible v
      -- What has no group stands alone.
      group by v.kind, v.group_id, v.detail, case when v.group_id is null then v.id end
    ), page as (
      select g.* from groups g where before is null or g.created_at < before order by g.created_at desc, g.id desc limit size
    )
    select jsonb_build_object(
      'unread', (select least(count(*), 99) from groups g where g.unread),
      'items', coalesce((
        select jsonb_agg(jsonb_build_object(
          'id', g.id, 'kind', g.kind, 'created_at', g.created_at, 'unread', g.unread, 'detail', case g.kind when 'level_up' then g.detail end,
          'actor', (select concat_ws(' ', p.first_name, p.last_name) from public.profiles p where p.id = g.actor_id),
          'others', greatest(g.actors - 1, 0), 'chat_room_id', g.chat_room_id, 'submission_id', g.submission_id,
          'room', (select r.name from public.chat_rooms r where r.id = g.chat_room_id), 'excerpt', g.excerpt,
          'message_id', case g.kind when 'mention' then g.group_id end,
          'place', case when g.kind in ('question', 'answer') then private.question_place(g.group_id) end
        ) order by g.created_at desc, g.id desc) from page g
      ), '[]')
    )
  );
end
$$;
