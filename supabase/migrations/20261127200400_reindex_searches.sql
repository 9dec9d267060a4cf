-- Everything that is stored for a search is made anew by the folding of 20261127200000.

select private.index_article(a.id) from public.articles a;
select private.index_course(c.id) from public.courses c;
select private.index_room(r.id) from public.chat_rooms r;
select private.index_submission(s.id) from public.learning_submissions s;
-- Words that no document has in this form any more.
delete from private.search_words k
where not exists (select from private.search_documents d where d.words @> array[k.word]);

select private.index_message(m) from public.chat_messages m where m.deleted_at is null;
select private.index_member_for_search(u.id) from auth.users u;
select private.update_directory_entry(p.id) from public.profiles p;
update private.collaboration_posts p
set topic_keys = array(select private.search_key(t) from unnest(p.topics) t),
  search_key = private.search_key(concat_ws(' ', p.title, p.details, array_to_string(p.topics, ' ')));
