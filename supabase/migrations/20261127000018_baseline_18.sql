-- Part 18 of 28 of the schema of 0.3.0, as supabase/schemas declared it when history began anew, in an order that Postgres takes.
set check_function_bodies = off;

-- reports/outcomes.sql

-- What became of a report, told to who reported and, when something was taken away, to the author.

-- `detail` is what it was, the decision, and what makes it one act: a report, or all reports of a thing that were decided together.
create function private.tg_reports__notify() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.notifications (user_id, kind, detail)
  select r.id, told.kind, concat_ws(':', new.kind, new.decision, told.act)
  from (
    values (new.user_id, 'report_decided', new.id::text),
      (new.author_id, 'moderated', new.subject_id || ':' || pg_current_xact_id())
  ) told (member, kind, act)
  join public.profiles r on r.id = told.member
  where told.kind = 'report_decided' or new.decision <> 'keep'
  for key share of r skip locked
  on conflict do nothing;
  return null;
end
$$;

create function private.notification_part_reports(member uuid) returns table (id bigint, place jsonb)
  language sql stable set search_path = ''
as $$
  select n.id, jsonb_build_object('what', split_part(n.detail, ':', 1), 'is_kept', split_part(n.detail, ':', 2) = 'keep')
  from private.newest_notifications(member, array['report_decided', 'moderated']) n
$$;
comment on function private.notification_part_reports(uuid) is
  'What became of a member''s reports, and what of the member''s own was taken away by one.';

-- reports/post.sql

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

-- reports/profile.sql

create function private.lock_reported_profile(subject uuid) returns void
  language sql volatile set search_path = '' as $$
  select from public.profiles p where p.id = subject for no key update
$$;
comment on function private.lock_reported_profile(uuid) is 'Locks a profile.';

create function private.remove_reported_profile(subject uuid) returns void
  language sql volatile set search_path = '' as $$
  update public.profiles p set bio = null where p.id = subject;
  update public.profile_choices c set topics = '{}', updated_at = now() where c.user_id = subject
$$;
comment on function private.remove_reported_profile(uuid) is 'Clears what a profile says beyond name and occupation.';

-- reports/reports.sql

-- What is copied of direct messages and posts does not outlive the decision. A direct message is between two, so that a report of it
-- would name its reporter to its author.
create function private.report_kinds()
  returns table (kind text, removal text, removed text, is_forgotten boolean, is_between_two boolean)
  language sql immutable set search_path = '' as $$
  values
    ('message', 'remove', 'removed', false, false),
    ('direct_message', 'remove', 'removed', true, true),
    ('post', 'remove', 'removed', true, false),
    ('submission', 'remove', 'removed', false, false),
    ('comment', 'remove', 'removed', false, false),
    ('profile', 'clear', 'cleared', false, false)
$$;
comment on function private.report_kinds() is
  'The kinds of reports: what the decision against one is called, how the audit log calls it, and whether its copy goes with the decision.';

create type private.reported as (author_id uuid, snapshot jsonb, place jsonb);
comment on type private.reported is 'Whose something is, what a report keeps of it, and what a link to it needs.';

create function private.require_report_kind(kind text) returns text
  language plpgsql immutable set search_path = '' as $$
begin
  if not exists (select from private.report_kinds() k where k.kind = require_report_kind.kind) then
    perform private.fail('FF343', 'This can''t be reported.');
  end if;
  return kind;
end
$$;
comment on function private.require_report_kind(text) is 'The kind of a report, if there is such a kind; raises FF343 otherwise.';

create function private.reported(kind text, subject uuid) returns private.reported
  language plpgsql stable set search_path = '' as $$
declare
  found_subject private.reported;
begin
  execute format('select * from private.%I($1)', 'reported_' || private.require_report_kind(kind)) into found_subject using subject;
  return found_subject;
end
$$;
comment on function private.reported(text, uuid) is 'What a report of something would hold now.';

create function private.require_report_reason(reason text) returns text
  language plpgsql immutable set search_path = '' as $$
declare
  why constant text := private.trimmed_message(reason);
begin
  if why is null or private.is_blank(why) or char_length(why) > 500 then
    perform private.fail('FF317', 'Say in at most 500 characters what is wrong.');
  end if;
  return why;
end
$$;
comment on function private.require_report_reason(text) is 'The trimmed reason of a report; raises FF317 when it is empty or too long.';

-- @rpc authenticated (kind, subject_id, reason)
-- Reports something of another member to the administrators. Repeating it while it is open adds what it did not say yet.
create function private.report(kind text, subject uuid, reason text) returns void
  language plpgsql volatile security definer set search_path = ''
as $$
declare
  caller constant uuid := private.require_caller();
  known constant text := private.require_report_kind(kind);
  why constant text := private.require_report_reason(reason);
  it private.reported;
  earlier private.reports;
begin
  execute format('select * from private.%I($1, $2)', 'reportable_' || known) into it using subject, caller;
  if it.author_id = caller then
    perform private.fail('FF318', 'You can delete what you wrote; there is no need to report it.');
  end if;
  select r.* into earlier from private.reports r
  where r.kind = known and r.subject_id = subject and r.user_id = caller and r.resolved_at is null for update;
  if not found then
    perform private.enforce_rate_limit(caller, 'report');
    execute format(
      'insert into private.reports (kind, subject_id, %I, author_id, user_id, reason, snapshot) values ($1, $2, $2, $3, $4, $5, $6)
       on conflict do nothing', known || '_id'
    ) using known, subject, it.author_id, caller, why, it.snapshot;
  elsif position(why in earlier.reason) = 0 then
    perform private.enforce_rate_limit(caller, 'report');
    if char_length(earlier.reason) + char_length(why) + 2 > 2000 then
      perform private.fail('FF317', 'You have said much about this already. An administrator will look at it.');
    end if;
    update private.reports r set reason = earlier.reason || E'\n\n' || why where r.id = earlier.id;
  end if;
end
$$;
comment on function private.report(text, uuid, text) is
  'Reports something to the administrators, once while it is open: repeating it adds what it does not say yet, up to 2000 characters.';

-- The own ones without what others wrote and, of a profile, whose it was. Those about the member without who and why.
create function private.export_part_reports(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object('reports', coalesce((
    select jsonb_agg(
      to_jsonb(r) - '{user_id,author_id,subject_id,profile_id}'::text[] - case when r.user_id = member then 'snapshot' else 'reason' end
      order by r.id
    )
    from private.reports r
    join private.report_kinds() k on k.kind = r.kind
    where r.user_id = member or r.author_id = member and not k.is_between_two
  ), '[]'))
$$;
comment on function private.export_part_reports(uuid) is
  'Reports by one account and about what it wrote, without the other persons and what they wrote.';

-- reports/submission.sql

-- Reports of submissions.
create function private.reportable_submission(subject uuid, caller uuid) returns private.reported
  language plpgsql volatile set search_path = '' as $$
begin
  perform private.require_member();
  perform from public.learning_submissions s where s.id = subject for key share;
  if not found then
    perform private.fail('FF332', 'There is no such submission.');
  end if;
  return private.reported_submission(subject);
end
$$;
comment on function private.reportable_submission(uuid, uuid) is 'A submission, which every member can see; raises FF332 or FF700.';

create function private.reported_submission(subject uuid) returns private.reported
  language sql stable set search_path = '' as $$
  select s.user_id, jsonb_build_object('title', s.title, 'content', s.content),
    jsonb_build_object('submission_id', s.id, 'title', s.title)
  from public.learning_submissions s where s.id = subject
$$;
comment on function private.reported_submission(uuid) is 'A submission.';

-- Likes, comments, submission and then reports, in the order of delete_submission and of its cascade.
create function private.lock_reported_submission(subject uuid) returns void
  language plpgsql volatile set search_path = '' as $$
begin
  perform from public.learning_submission_likes l where l.submission_id = subject order by l.user_id for update;
  perform from public.learning_submission_comments c where c.submission_id = subject order by c.id for update;
  perform from public.learning_submissions s where s.id = subject for update;
end
$$;
comment on function private.lock_reported_submission(uuid) is 'Locks a submission with what is deleted with it.';

create function private.remove_reported_submission(subject uuid) returns void
  language sql volatile set search_path = '' as $$
  select private.delete_submission(subject)
$$;
comment on function private.remove_reported_submission(uuid) is 'Deletes a submission, and its reports with it.';

-- search/community.sql

-- Rooms and submissions are indexed like the library. Messages are not.
create function private.index_room(room text) returns void
  language sql volatile security definer set search_path = '' as $$
  select private.index_document(
    row(
      'room', r.id, null, r.min_level_required, r.is_active, null, r.name, r.description, '', '/chats/' || r.id, null, '{}'
    )::private.search_documents,
    '', r.name || ' ' || r.description
  )
  from public.chat_rooms r where r.id = room
$$;
comment on function private.index_room(text) is 'Updates the search document of a chat room.';

-- Only the words of titles are added to the list of known words, which keeps it short.
create function private.index_submission(submission uuid) returns void
  language sql volatile security definer set search_path = '' as $$
  select private.index_document(
    row(
      'submission', s.id::text, null, 1, true, s.user_id, s.title, left(regexp_replace(s.content, '\s+', ' ', 'g'), 200),
      s.content, '/learning/submissions#' || s.id, null, '{}'
    )::private.search_documents,
    replace(s.submission_type, '_', ' '), s.title
  )
  from public.learning_submissions s where s.id = submission
$$;
comment on function private.index_submission(uuid) is 'Updates the search document of a submission.';

create function private.tg_chat_rooms__index() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.index_room(new.id);
  return null;
end
$$;

create trigger chat_rooms__index
  after insert or update of name, description, min_level_required, is_active on public.chat_rooms
  for each row execute function private.tg_chat_rooms__index();

create function private.tg_chat_rooms__unindex() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  delete from private.search_documents d where d.kind = 'room' and d.id = old.id;
  return null;
end
$$;

create trigger chat_rooms__unindex after delete on public.chat_rooms
  for each row execute function private.tg_chat_rooms__unindex();

create function private.tg_learning_submissions__index() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.index_submission(new.id);
  return null;
end
$$;

create function private.tg_learning_submissions__unindex() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  delete from private.search_documents d where d.kind = 'submission' and d.id = old.id::text;
  return null;
end
$$;

-- search/letters.sql

-- How texts are compared in every search: one folding, and one way to cut words, which give the same on every cluster.
-- Nothing here asks the locale of the database what a letter is: code points are written out, and the one collation is named.
-- web/src/lib/fold-text.ts folds alike; both are tested over the same table.
create function private.fold_text(label text) returns text
  language plpgsql immutable strict parallel safe set search_path = '' as $$
declare
  -- Accents and points that people leave out, and characters that cannot be seen.
  marks constant text := '[\u00ad\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u061c\u0640'
    '\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u180b-\u180f\u1ab0-\u1aff\u1dc0-\u1dff\u200b-\u200f'
    '\u202a-\u202e\u2060-\u206f\u20d0-\u20f0\ufe00-\ufe0f\ufe20-\ufe2f\ufeff\U000e0100-\U000e01ef]+';
  spaces constant text := '[\u0009-\u000d\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+';
  -- Marks in their wrong order take the square of their number to put in order, so the given ones go first.
  folded text := regexp_replace(
    translate(label, U&'\2018\2019\201B\2032\02B9\02BB\02BC\02BD\0060\00B4\0384\1FBD\1FBF\1FEF\1FFD\055A\05F3\A78C\FF07', repeat('''', 19)),
    marks, '', 'g'
  );
begin
  folded := case
    when char_length(folded) <= 200 then normalize(folded, nfkd)
    else (
      select string_agg(normalize(m.parts[1], nfkd), '' order by m.place)
      from regexp_matches(folded, '.{1,200}', 'g') with ordinality as m (parts, place)
    )
  end;
  folded := lower(regexp_replace(folded, marks, '', 'g') collate pg_catalog."und-x-icu");
  -- Letters with a stroke or a hook have no accent to leave out; the final sigma is a sigma, every dash a hyphen.
  folded := translate(
    regexp_replace(folded, marks, '', 'g'),
    U&'\00F8\0142\0111\0127\0131\0167\00F0\014B\0138\0180\0199\0253\0257\0260\0268\0289\01B6\01E5\0491\03C2\02BC\02B9\2032\0060\A78C\2010\2011\2012\2013\2014\2015\2212',
    'oldhitdnkbkbdgiuzg' || U&'\0433\03C3' || '''''''''''-------'
  );
  -- Georgian capitals are newer than some releases of ICU.
  if folded ~ '[\u1c90-\u1cbf]' then
    folded := translate(
      folded,
      U&'\1C90\1C91\1C92\1C93\1C94\1C95\1C96\1C97\1C98\1C99\1C9A\1C9B\1C9C\1C9D\1C9E\1C9F\1CA0\1CA1\1CA2\1CA3\1CA4\1CA5\1CA6\1CA7\1CA8\1CA9\1CAA\1CAB\1CAC\1CAD\1CAE\1CAF\1CB0\1CB1\1CB2\1CB3\1CB4\1CB5\1CB6\1CB7\1CB8\1CB9\1CBA\1CBD\1CBE\1CBF',
      U&'\10D0\10D1\10D2\10D3\10D4\10D5\10D6\10D7\10D8\10D9\10DA\10DB\10DC\10DD\10DE\10DF\10E0\10E1\10E2\10E3\10E4\10E5\10E6\10E7\10E8\10E9\10EA\10EB\10EC\10ED\10EE\10EF\10F0\10F1\10F2\10F3\10F4\10F5\10F6\10F7\10F8\10F9\10FA\10FD\10FE\10FF'
    );
  end if;
  folded := replace(replace(replace(replace(
    folded, U&'\00DF', 'ss'), U&'\00E6', 'ae'), U&'\0153', 'oe'), U&'\00FE', 'th');
  return btrim(regexp_replace(folded, spaces, ' ', 'g'), ' ');
end $$;
comment on function private.fold_text(text) is 'A text as searches compare it: no case, accents, ligatures or invisible characters, one apostrophe, single spaces.';

-- Words
create function private.word_characters(separators boolean, apostrophes boolean, ideographs boolean) returns text
  language sql immutable parallel safe set search_path = '' as $$
  select case when separators then
    '\u0001-\u0026\u0028-\u002f\u003a-\u0040\u005b-\u005f\u007b-\u00a9\u00ab\u00ac\u00ae-\u00b1\u00b6-\u00b8\u00bb\u00bf\u00d7\u00f7'
    '\u02c2-\u02df\u037e\u0387\u055b-\u055f\u0589\u058a\u058d-\u058f\u05be\u05c0\u05c3\u05c6\u05f4\u060b-\u060f\u061b\u061d-\u061f'
    '\u066a-\u066d\u06d4\u0700-\u070d\u0964\u0965\u0970\u0df4\u0e3f\u0e4f\u0e5a\u0e5b\u0f04-\u0f14\u0f3a-\u0f3d\u104a-\u104f\u10fb'
    '\u1360-\u1368\u1400\u166d\u166e\u1680\u169b\u169c\u16eb-\u16ed\u1735\u1736\u17d4-\u17d6\u17d8-\u17db\u1800-\u180a\u1944\u1945'
    '\u1c3b-\u1c3f\u1c7e\u1c7f\u2000-\u200a\u2010-\u2017\u201a\u201c-\u2029\u202f-\u2031\u2033-\u205f\u207a-\u207e\u208a-\u208e'
    '\u20a0-\u20cf\u2120\u2122\u2190-\u245f\u24eb-\u2bff\u2e00-\u2e7f\u2ff0-\u3004\u3008-\u3020\u3030\u3036\u3037\u303d-\u303f\u30a0\u30fb'
    '\ua4fe\ua4ff\ua60d-\ua60f\ua92e\ua92f\ua9c1-\ua9cd\ue000-\uf8ff\ufd3e\ufd3f\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff06\uff08-\uff0f'
    '\uff1a-\uff20\uff3b-\uff3f\uff5b-\uff65\uffe0-\uffee\ufff0-\uffff\U0001d000-\U0001d3ff\U0001f000-\U0001faff\U000e0000-\U000e007f'
    '\U000f0000-\U0010ffff' else '' end
  || case when apostrophes then '\u0027\u0060\u00b4\u02b9\u02bb-\u02bd\u0384\u055a\u05f3\u1fbd\u1fbf\u1fef\u1ffd\u2018\u2019\u201b\u2032\ua78c\uff07' else '' end
  || case when ideographs then
    '\u3005-\u3007\u3021-\u3029\u3038-\u303c\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff'
    '\uf900-\ufaff\uff66-\uff9d\U00020000-\U0003ffff' else '' end
$$;
comment on function private.word_characters(boolean,boolean,boolean) is 'Ranges of code points for a regular expression: what stands between words (spaces, controls, punctuation, symbols, emoji), apostrophes, and characters that are words by themselves. Everything else is a letter of a word.';

create function private.word_pattern(of_text boolean) returns text
  language sql immutable parallel safe set search_path = '' as $$
  -- Chinese and Japanese put no spaces between words, so in a text each of their characters counts as one.
  select case when of_text then '[' || private.word_characters(false, false, true) || '][\u3099\u309a\uff9e\uff9f]?|' else '' end
    || replace('[^ ]+(?:[' || private.word_characters(false, true, false) || ']+[^ ]+)*',
      ' ', private.word_characters(true, true, of_text))
$$;
comment on function private.word_pattern(boolean) is 'The regular expression of one word: of a text, in which ideographs stand for themselves, or of what is typed.';

create function private.words_in(content text) returns table (place integer, word text)
  language plpgsql immutable set search_path = '' as $$
#variable_conflict use_column
begin
  return query
    with written as materialized (
      select m.place, left(m.parts[1], 100) as word
      from regexp_matches(content, '(' || private.word_pattern(true) || ')', 'g') with ordinality as m (parts, place)
    ),
    -- Each once, and all at once: folding one by one takes many times as long. The separator stays as it is.
    apart as (select array_agg(distinct w.word) as words from written w),
    known as (
      select k.word, f.folded
      from apart a
      cross join unnest(a.words, string_to_array(private.fold_text(array_to_string(a.words, U&'\001F')), U&'\001F')) as k (word, folded)
      cross join lateral (
        -- What one character stands for may be several words: ½, ㍿.
        select left(p.parts[1], 200) as folded from regexp_matches(k.folded, '(' || private.word_pattern(true) || ')', 'g') as p (parts)
      ) f
    )
    select w.place::integer, k.folded from written w join known k using (word);
end $$;
comment on function private.words_in(text) is 'The folded words of a text and where each stands, counted from 1. They keep their apostrophes.';

create function private.lexemes(word text) returns text[]
  language plpgsql immutable set search_path = '' as $$
begin
  if position('''' in word) = 0 then
    return pg_catalog.ts_lexize('pg_catalog.english_stem', word);
  end if;
  -- O'Brien is found as obrien and by its parts, l'école by école.
  return array(
    select distinct s.stem
    from unnest(replace(word, '''', '') || regexp_split_to_array(word, '''+')) as f (form)
    cross join lateral unnest(pg_catalog.ts_lexize('pg_catalog.english_stem', f.form)) as s (stem)
    where f.form <> ''
  );
end $$;
comment on function private.lexemes(text) is 'What a folded word is found by: its English stem, and those of the parts between apostrophes. Nothing for stop words.';

create function private.words_vector(content text, weight text, max_bytes integer) returns tsvector
  language plpgsql immutable set search_path = '' as $$
#variable_conflict use_column
begin
  return (
    with words as materialized (select w.place, w.word from private.words_in(content) w),
    found as (
      select l.lexeme, min(w.place) as first_seen,
        -- A tsvector keeps no more of each, and counts no further.
        (array_agg(distinct least(w.place, 16383)))[1:250] as places
      from (select distinct w.word from words w) d
      cross join lateral unnest(private.lexemes(d.word)) as l (lexeme)
      join words w on w.word = d.word
      group by l.lexeme
    ),
    kept as (
      select f.lexeme, f.places,
        sum(octet_length(f.lexeme) + 2 * cardinality(f.places) + 4) over (order by f.first_seen, f.lexeme collate "C") as bytes
      from found f
    )
    select coalesce(string_agg(
      '''' || k.lexeme || ''':' || array_to_string(k.places, weight || ',') || weight, ' '
    ), '')::tsvector
    from kept k where k.bytes <= max_bytes
  );
end $$;
comment on function private.words_vector(text,text,integer) is 'The words of a text for the search, with one weight; as many as fit in the given bytes.';

-- search/library.sql

-- @rpc authenticated
-- Articles, courses, rooms and submissions the caller may read, best first, at most 50; typing errors are forgiven.
create function private.search_library(query text, max_results integer default 20)
  returns table(kind text, id text, title text, excerpt text, category text, path text, rank real) language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
declare
  caller uuid := private.require_caller();
  level integer := private.effective_level(caller);
  words constant text[] := private.typed_words(query);
  term tsquery;
  every_word tsquery;
  any_word tsquery;
  wanted tsquery;
begin
  for place in 1 .. cardinality(words) loop
    term := private.search_term(words[place], place = cardinality(words), caller, level);
    if term is not null then
      every_word := coalesce(every_word && term, term);
      any_word := coalesce(any_word || term, term);
    end if;
  end loop;
  foreach wanted in array array[every_word, any_word] loop
    return query
      with hits as (
        select d.kind, d.id, d.title, d.excerpt, d.category, d.path, d.body, d.document,
          ts_rank(d.document, wanted, 1) as rank
        from private.search_documents d
        where d.document @@ wanted and (d.is_public and d.min_level <= level or d.owner_id = caller)
        order by rank desc, d.title, d.id
        limit least(greatest(coalesce(max_results, 20), 1), 50)
      )
      select f.kind, f.id, f.title,
        case
          when f.body = '' or ts_filter(f.document, '{a,b}') @@ wanted then f.excerpt
          else private.excerpt(f.body, f.document, wanted, '', '', false)
        end,
        f.category, f.path, f.rank
      from hits f order by f.rank desc, f.title, f.id;
    exit when found;
  end loop;
end
$$;
comment on function private.search_library(text, integer) is
  'Documents the caller may read with every word; without any result, those with at least one.';

-- search/messages.sql

create function private.tg_chat_messages__index() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if new.deleted_at is null then
    perform private.index_message(new);
  else
    delete from private.message_search_documents d where d.message_id = new.id;
  end if;
  return null;
end
$$;

-- Newest first. The page is limited before the excerpts are cut. Messages of members whom the caller has blocked are left out.
-- @rpc authenticated (query, room_id, before_created_at, before_id, page_size)
-- Messages of a room, or of every room the caller may read, that have all the words; newest first, the next page starts after the last
-- one.
create function private.search_messages(
  query text, room text default null, before_created_at timestamptz default null, before_id uuid default null,
  page_size integer default 20
)
  returns table(message_id uuid, chat_room_id text, room_name text, user_id uuid, author_first_name text, author_last_name text, author_avatar_url text, excerpt text, created_at timestamp with time zone) language plpgsql security definer set search_path = '' as $$
declare
  caller uuid;
  rooms text[] := private.caller_room_ids();
  wanted tsquery := private.message_query(query);
begin
  if room is null then
    caller := private.require_member();
  else
    caller := private.require_room(room);
    rooms := array[room];
  end if;
  perform private.enforce_rate_limit(caller, 'message_search');
  if wanted is null then
    return;
  end if;
  return query
    with hits as (
      select m.id, m.chat_room_id, m.user_id, m.content, m.created_at, d.document
      from private.message_search_documents d
      join public.chat_messages m on m.id = d.message_id
      where d.document @@ wanted and d.chat_room_id = any (rooms) and m.deleted_at is null
        and (before_created_at is null or d.created_at <= before_created_at
          and (d.created_at < before_created_at or d.message_id > before_id))
        and not exists (
          select from private.member_blocks b where b.user_id = caller and b.blocked_id = m.user_id
        )
      order by d.created_at desc, d.message_id
      limit least(greatest(coalesce(page_size, 20), 1), 50)
    )
    select h.id, h.chat_room_id, r.name, h.user_id, p.first_name, p.last_name, p.avatar_url,
      -- The words found stand between two control characters, which the screen turns into marks.
      private.excerpt(h.content, h.document, wanted, chr(2), chr(3), char_length(h.content) <= 200),
      h.created_at
    from hits h
    join public.chat_rooms r on r.id = h.chat_room_id
    join public.profiles p on p.id = h.user_id
    order by h.created_at desc, h.id;
end
$$;
comment on function private.search_messages(text, text, timestamptz, uuid, integer) is
  'Messages with every word, of one room or of all the caller may read now; raises FF700, FF310, FF311 or FF300.';

-- search/queries.sql

-- What is typed into a search as a query, and the excerpts of what was found.
create function private.typed_words(typed text) returns text[]
  language plpgsql immutable set search_path = '' as $$
#variable_conflict use_column
begin
  return (
    select coalesce(array_agg(w.word order by w.place), '{}')
    from (
      select m.place, private.fold_text(m.parts[1]) as word
      from regexp_matches(left(typed, 200), '(' || private.word_pattern(false) || ')', 'g') with ordinality as m (parts, place)
      order by m.place limit 10
    ) w
    where w.word <> ''
  );
end $$;
comment on function private.typed_words(text) is 'The first ten folded words that are typed into a search.';

create function private.word_query(word text, is_last boolean) returns tsquery
  language plpgsql immutable set search_path = '' as $$
declare
  pieces constant integer := (select count(*) from private.words_in(word));
  piece text;
  place integer;
  former integer;
  form text;
  stem text;
  term tsquery;
  wanted tsquery;
begin
  for piece, place in select w.word, w.place from private.words_in(word) w order by w.place loop
    form := replace(piece, '''', '');
    stem := (pg_catalog.ts_lexize('pg_catalog.english_stem', form))[1];
    -- A contraction of stop words says as little as they do.
    if stem is null or position('''' in piece) > 0 and not exists (
      select from regexp_split_to_table(piece, '''+') p
      where cardinality(pg_catalog.ts_lexize('pg_catalog.english_stem', p)) > 0 and char_length(p) > 1
    ) then
      continue;
    end if;
    term := quote_literal(stem)::tsquery;
    -- The last word is often unfinished.
    if is_last and pieces = 1 and char_length(form) > 1 then
      term := term || (quote_literal(form) || ':*')::tsquery;
    end if;
    -- What is written without spaces stands in this order.
    wanted := coalesce(tsquery_phrase(wanted, term, place - former), term);
    former := place;
  end loop;
  return wanted;
end $$;
comment on function private.word_query(text,boolean) is 'One typed word in all its forms, the last one also as a beginning; null for stop words.';

create function private.found_places(document tsvector, wanted tsquery) returns table (place integer, lexeme text)
  language plpgsql immutable set search_path = '' as $$
#variable_conflict use_column
begin
  return query
    select distinct p.place::integer, u.lexeme
    from unnest(document) as u (lexeme, places, weights)
    cross join lateral unnest(u.places, u.weights) as p (place, weight)
    where p.weight = 'D'
      -- Lexemes hold no sign of a query, because these stand between words.
      and array_to_tsvector(array[u.lexeme]) @@ regexp_replace(wanted::text, '&|<[^>]*>', '|', 'g')::tsquery;
end $$;
comment on function private.found_places(tsvector,tsquery) is 'Where any word of the query stands in the text of a document, by the numbers of words_in.';

create function private.excerpt(content text, document tsvector, wanted tsquery, opening text, closing text, is_whole boolean) returns text
  language plpgsql immutable set search_path = '' as $$
#variable_conflict use_column
begin
  return (
    with hits as materialized (select f.place, f.lexeme from private.found_places(document, wanted) f),
    -- The 30 words with most of the query, a few of them before its first.
    start as (
      select coalesce((
        select h.place from hits h join hits near on near.place between h.place and h.place + 20
        group by h.place order by count(distinct near.lexeme) desc, h.place limit 1
      ) - 5, 1) as place
    ),
    words as materialized (
      select m.place, m.parts[1] as between, m.parts[2] as word,
        sum(char_length(m.parts[1]) + char_length(m.parts[2])) over (order by m.place) as reached
      from regexp_matches(
        content, '([' || private.word_characters(true, true, false) || ']*)(' || private.word_pattern(true) || ')', 'g'
      ) with ordinality as m (parts, place)
    ),
    shown as (
      select w.*, row_number() over (order by w.place) as number
      from words w, start s
      where is_whole or w.place >= s.place and w.place < s.place + 30
    ),
    cut as (
      select s.place, s.between, s.number,
        case when is_whole then s.word else left(s.word, 60) end as word
      from shown s
    )
    select replace(
      coalesce(string_agg(
        case when c.number = 1 and not is_whole then '' else translate(c.between, opening || closing, '') end
          || case when h.place is null then c.word else opening || c.word || closing end,
        '' order by c.place
      ), '') || case when is_whole then translate(right(content, -coalesce((select max(w.reached) from words w), 0)::integer), opening || closing, '') else '' end,
      -- Neighbouring ideographs are one mark.
      closing || opening, ''
    )
    from cut c left join (select distinct h.place from hits h) h using (place)
  );
end $$;
comment on function private.excerpt(text,tsvector,tsquery,text,text,boolean) is 'The part of a text around the words of a query, or all of it, with the given characters around each.';

create function private.may_find_word(word text, caller uuid, level integer) returns boolean
  language sql stable set search_path = '' as $$
  select exists (
    select from private.search_documents d
    where d.words @> array[may_find_word.word] and (d.is_public and d.min_level <= level or d.owner_id = caller)
  )
$$;
comment on function private.may_find_word(text,uuid,integer) is 'True when a document that the caller may read has the word.';

create function private.search_term(word text, is_last boolean, caller uuid, level integer) returns tsquery
  language plpgsql stable set search_path = '' as $$
declare
  form constant text := replace(word, '''', '');
  term tsquery := private.word_query(word, is_last);
  near text;
begin
  if term is null or char_length(form) < 4 or private.may_find_word(form, caller, level) then
    return term;
  end if;
  for near in
    select k.word from (
      select w.word from private.search_words w order by w.word operator(extensions.<->) form limit 200
    ) k
    where extensions.levenshtein(left(k.word, 60), left(form, 60)) <= case when char_length(form) < 5 then 1 else 2 end
      and private.may_find_word(k.word, caller, level)
    order by extensions.levenshtein(left(k.word, 60), left(form, 60)), left(k.word, 1) <> left(form, 1), k.word
    limit 3
  loop
    term := term || private.word_query(near, false);
  end loop;
  return term;
end $$;
comment on function private.search_term(text,boolean,uuid,integer) is 'One word of a search with its forms and, when no text the caller may read has it, similar words of these; null for stop words.';

create function private.message_query(words text) returns tsquery
  language plpgsql immutable set search_path = '' as $$
declare
  typed constant text[] := private.typed_words(words);
  wanted tsquery;
  term tsquery;
begin
  for place in 1 .. cardinality(typed) loop
    term := private.word_query(typed[place], place = cardinality(typed));
    if term is not null then
      wanted := coalesce(wanted && term, term);
    end if;
  end loop;
  return wanted;
end $$;
comment on function private.message_query(text) is
  'A search text as a query: every word in all its forms, the last one also as a prefix; null when nothing is left to search for.';

-- search/search.sql

-- Search over everything a member may read. Search documents are stored apart from their tables, so that counting a
-- read does not index an article again. Rights are checked at every search.
create table private.search_documents (
  kind text not null check (kind in ('article', 'course', 'room', 'submission')),
  id text not null,
  category text,
  min_level integer not null,
  is_public boolean not null,
  owner_id uuid,
  title text not null,
  excerpt text not null,
  body text not null,
  path text not null,
  document tsvector not null,
  words text[] not null,
  primary key (kind, id)
);
comment on table private.search_documents is 'The search index; kept by triggers on the indexed tables.';
comment on column private.search_documents.min_level is 'Level a member needs to find the document.';
comment on column private.search_documents.is_public is 'False for drafts and hidden content, which only the owner finds.';
comment on column private.search_documents.body is 'Plain text, from which excerpts are cut.';
comment on column private.search_documents.words is 'Words this document added to search_words, for deleting them with it.';
create index search_documents_words_idx on private.search_documents using gin (words);
create index search_documents_document_idx on private.search_documents using gin (document);
alter table private.search_documents enable row level security;

create table private.search_words (word text primary key);
comment on table private.search_words is 'Words of the documents, for recognising misspelt words. Not readable by clients.';
create index search_words_near_idx on private.search_words using gist (word extensions.gist_trgm_ops);
alter table private.search_words enable row level security;

-- Markdown without its syntax.
create function private.plain_text(markdown text) returns text
  language sql immutable set search_path = '' as $$
  select btrim(regexp_replace(regexp_replace(regexp_replace(regexp_replace(
    markdown,
    '!?\[([^\]]*)\]\([^)]*\)', '\1', 'g'),
    '(^|\n)[ \t]*(#{1,6}|>|[-*+]( \[[ xX]\])?|[0-9]+[.)]|[|:-]{3,})[ \t]*', '\1', 'g'),
    '[*`]+', '', 'g'),
    '[|\s]+', ' ', 'g'))
$$;
comment on function private.plain_text(text) is 'Markdown without links, headings, lists, tables and emphasis.';

-- A word is deleted with the last document that contains it: a name in a title must not outlive the member's account.
create function private.delete_unused_search_words(candidates text[]) returns void
  language plpgsql volatile set search_path = '' as $$
begin
  -- Always locked in the same order, which rules out deadlocks.
  perform from private.search_words k where k.word = any (candidates) order by k.word for update;
  delete from private.search_words k
  where k.word = any (candidates) and not exists (
    select from private.search_documents d where d.words @> array[k.word]
  );
end
$$;
comment on function private.delete_unused_search_words(text[]) is 'Deletes those of the words that no document contains any more.';

create function private.tg_search_documents__delete_unused_words() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.delete_unused_search_words(old.words);
  return null;
end
$$;

create trigger search_documents__delete_unused_words after delete on private.search_documents
  for each row execute function private.tg_search_documents__delete_unused_words();

create function private.index_document(document private.search_documents, extra text, words text)
  returns void language plpgsql set search_path = '' as $$
declare
  former text[];
begin
  document.document :=
    -- The text first, because its positions are the numbers of its words. Together less than a tsvector holds.
    private.words_vector(document.body, 'D', 900000)
    || private.words_vector(document.title, 'A', 50000)
    || private.words_vector(document.excerpt || ' ' || extra, 'B', 50000);
  document.words := array(
    select distinct f.form
    from private.words_in(words) w
    cross join lateral (
      select replace(w.word, '''', '') union select p from regexp_split_to_table(w.word, '''+') p
    ) as f (form)
    where char_length(f.form) between 4 and 30 and f.form !~ '[0-9]'
    order by 1
  );
  former := coalesce(
    (select d.words from private.search_documents d where d.kind = document.kind and d.id = document.id for update), '{}'
  );
  insert into private.search_documents select document.*
  on conflict (kind, id) do update set
    category = excluded.category, min_level = excluded.min_level, is_public = excluded.is_public,
    owner_id = excluded.owner_id, title = excluded.title, excerpt = excluded.excerpt, body = excluded.body,
    path = excluded.path, document = excluded.document, words = excluded.words;
  -- Always inserted in the same order, which rules out deadlocks between texts with the same new words.
  insert into private.search_words (word)
  select w.word from unnest(document.words) as w (word)
  where not exists (select from private.search_words k where k.word = w.word)
  order by 1
  on conflict do nothing;
  perform private.delete_unused_search_words(array(select unnest(former) except select unnest(document.words)));
end
$$;
comment on function private.index_document(private.search_documents, text, text) is
  'Replaces a search document and adds the given words to search_words.';

create function private.index_article(article uuid) returns void
  language sql volatile security definer set search_path = '' as $$
  select private.index_document(
    row(
      'article', a.id::text, s.main_category, private.category_level(s.main_category), a.is_published and s.is_active,
      a.author_id, a.title, a.excerpt, private.plain_text(a.content),
      private.shelf_path(s.main_category, 'foundations', s.slug) || '/' || a.id, null, '{}'
    )::private.search_documents,
    array_to_string(a.tags, ' ') || ' ' || s.name,
    concat_ws(' ', a.title, a.excerpt, array_to_string(a.tags, ' '), s.name, a.content)
  )
  from public.articles a join public.subcategories s on s.id = a.subcategory_id
  where a.id = article
$$;
comment on function private.index_article(uuid) is 'Updates the search document of an article.';

-- Leaves the modules out: only enrolled members may read them.
create function private.index_course(course uuid) returns void
  language sql volatile security definer set search_path = '' as $$
  select private.index_document(
    row(
      'course', c.id::text, s.main_category, private.category_level(s.main_category), c.is_published and s.is_active,
      c.mentor_id, c.title, c.description, '',
      private.shelf_path(s.main_category, 'courses', s.slug) || '/' || c.id, null, '{}'
    )::private.search_documents,
    s.name || ' ' || c.difficulty_level,
    concat_ws(' ', c.title, c.description, s.name)
  )
  from public.courses c join public.subcategories s on s.id = c.subcategory_id
  where c.id = course
$$;
comment on function private.index_course(uuid) is 'Updates the search document of a course.';

create function private.tg_articles__index() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.index_article(new.id);
  return null;
end
$$;

create function private.tg_articles__unindex() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  delete from private.search_documents d where d.kind = 'article' and d.id = old.id::text;
  return null;
end
$$;

create function private.tg_courses__index() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.index_course(new.id);
  return null;
end
$$;

create function private.tg_courses__unindex() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  delete from private.search_documents d where d.kind = 'course' and d.id = old.id::text;
  return null;
end
$$;

create function private.tg_subcategories__index() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.index_article(a.id) from public.articles a where a.subcategory_id = new.id;
  perform private.index_course(c.id) from public.courses c where c.subcategory_id = new.id;
  return null;
end
$$;

create trigger subcategories__index after update of main_category, slug, name, is_active on public.subcategories
  for each row execute function private.tg_subcategories__index();

reset check_function_bodies;
