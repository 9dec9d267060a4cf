-- Reports of Collaborate posts, also after blocking their author.
create function private.reportable_post(subject uuid, caller uuid) returns private.reported
  language plpgsql volatile set search_path = '' as $$
declare
  it private.reported;
begin
  perform private.require_member();
  perform from private.collaboration_posts p
  where p.id = subject and private.is_open_post(p.created_at, p.closed_at) and private.effective_level(p.user_id) > 0
    and not exists (select from private.member_blocks b where b.user_id = p.user_id and b.blocked_id = caller)
    and not exists (select from auth.users u where u.id = p.user_id and u.banned_until > now());
  if not found then
    perform private.fail('FF833', 'This post is no longer there.');
  end if;
  it := private.reported_post(subject);
  if it.author_id = caller then
    perform private.fail('FF834', 'You can close your own post; there is no need to report it.');
  end if;
  return it;
end
$$;
comment on function private.reportable_post(uuid, uuid) is 'An open post of another member; raises FF700, FF833 or FF834.';

create function private.reported_post(subject uuid) returns private.reported
  language sql stable set search_path = '' as $$
  select p.user_id, jsonb_build_object('content', p.title || E'\n\n' || p.details),
    jsonb_build_object('title', p.title, 'written_at', p.created_at)
  from private.collaboration_posts p where p.id = subject
$$;
comment on function private.reported_post(uuid) is 'A post, its title above its text.';

create function private.lock_reported_post(subject uuid) returns void
  language sql volatile set search_path = '' as $$
  select from private.collaboration_posts p where p.id = subject for no key update
$$;
comment on function private.lock_reported_post(uuid) is 'Locks a post.';

create function private.remove_reported_post(subject uuid) returns void
  language sql volatile set search_path = '' as $$
  delete from private.collaboration_posts p where p.id = subject
$$;
comment on function private.remove_reported_post(uuid) is 'Deletes a post, and its reports with it.';
