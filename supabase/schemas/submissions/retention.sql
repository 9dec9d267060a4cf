-- The data export of levels and submissions, and the deletion of unused pictures.
create function private.export_part_levels(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'level_completions', coalesce((
      select jsonb_agg(to_jsonb(c) order by c.level) from public.level_completions c where c.user_id = member
    ), '[]'),
    'progress_events', coalesce((
      select jsonb_agg(to_jsonb(l) order by l.id) from private.progress_ledger l where l.user_id = member
    ), '[]')
  )
$$;
comment on function private.export_part_levels(uuid) is 'Completed levels and progress events of one account.';

create function private.export_part_submissions(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'submissions', coalesce((
      select jsonb_agg(to_jsonb(s) order by s.created_at, s.id)
      from public.learning_submissions s where s.user_id = member
    ), '[]'),
    'submission_likes', coalesce((
      select jsonb_agg(to_jsonb(l) order by l.created_at, l.submission_id)
      from public.learning_submission_likes l where l.user_id = member
    ), '[]'),
    'submission_comments', coalesce((
      select jsonb_agg(to_jsonb(c) order by c.created_at, c.id)
      from public.learning_submission_comments c where c.user_id = member
    ), '[]')
  )
$$;
comment on function private.export_part_submissions(uuid) is 'Submissions, likes of submissions and comments of one account.';

-- A picture that no submission uses a day after its upload is deleted: it was never shared, or its submission is gone.
-- @rpc service_role
-- Server: pictures of submissions to delete now.
create function private.learning_images_to_purge(after text default ''::text, batch integer default 100) returns setof text
  language sql stable security definer set search_path = '' as $$
  select o.name from storage.objects o
  where o.bucket_id = 'learning-images' and o.name > after and o.created_at < now() - interval '1 day'
    and not exists (
      select from public.learning_submissions s
      where s.image_url is not null and private.image_name(s.image_url) = o.name
    )
  order by o.name
  limit batch
$$;
comment on function private.learning_images_to_purge(text,integer) is 'Pictures older than a day that no submission shows; by name, after the given one.';
