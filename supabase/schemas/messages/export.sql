-- Own words only: whom they wrote to and what the other wrote are not theirs.
create function private.export_part_direct(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'direct_messages', coalesce((
      select jsonb_agg(to_jsonb(m) order by m.created_at, m.id) from public.direct_messages m where m.user_id = member
    ), '[]'),
    'direct_conversations', coalesce((
      select jsonb_agg(to_jsonb(c) - 'first_id' - 'second_id' order by c.created_at, c.id)
      from private.direct_conversations c where member in (c.first_id, c.second_id)
    ), '[]'),
    'direct_reads', coalesce((
      select jsonb_agg(to_jsonb(r) order by r.conversation_id) from private.direct_reads r where r.user_id = member
    ), '[]'),
    'message_choices', (select to_jsonb(c) from public.message_choices c where c.user_id = member),
    'collaboration_posts', coalesce((
      select jsonb_agg(to_jsonb(p) - 'search_key' - 'topic_keys' order by p.created_at, p.id)
      from private.collaboration_posts p where p.user_id = member
    ), '[]')
  )
$$;
comment on function private.export_part_direct(uuid) is
  'Direct messages, read positions, posts and the choice of one account, without what others wrote.';
