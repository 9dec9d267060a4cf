-- Who has blocked the member is theirs alone.
create function private.export_part_people(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'profile_choices', (select to_jsonb(c) from public.profile_choices c where c.user_id = member),
    'member_blocks', coalesce((
      select jsonb_agg(to_jsonb(b) - 'blocked_id' order by b.created_at)
      from private.member_blocks b where b.user_id = member
    ), '[]')
  )
$$;
comment on function private.export_part_people(uuid) is
  'Choices and blocks of one account, without the other persons.';
