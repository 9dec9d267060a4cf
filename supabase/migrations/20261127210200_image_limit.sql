-- The pictures of submissions are to be smaller than 5 MB, and one of exactly 5 MB was taken.
update storage.buckets set file_size_limit = 5242879 where id = 'learning-images';
