-- Every picture is to be smaller than 5 MB, as those of submissions are; one of exactly 5 MB was taken.
update storage.buckets set file_size_limit = 5242879
where id in ('profile-pictures', 'message-pictures', 'content-pictures');
