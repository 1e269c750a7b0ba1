use super::*;

#[test]
fn a_text_comes_back_whole() {
    for text in ["", "gas", "(title:\"ü\n\")", &"0.123456,".repeat(1000)] {
        for kind in LinkKind::ALL {
            let link = Link::new(kind, 0x0123_4567_89ab_cdef, text.to_owned());
            let written = link.write().unwrap();
            assert!(Link::is_meant(&written) && Link::is_meant(&format!("https://a.org/b?c=d{written}")));
            assert_eq!(Link::read(&written), Ok(link.clone()));
            let wrapped = written.replace('m', "m\r\n ");
            assert_eq!(Link::read(&format!("see https://a.org/{wrapped}\n")), Ok(link.clone()));
            for around in [".", ">.", ") ", "\u{201d},\n", "\u{3002}", "`", "**", "\u{201c}", "/"] {
                assert_eq!(Link::read(&format!("<https://a.org/{written}{around}")), Ok(link.clone()), "{around}");
            }
            for around in ["'", "\u{ab}", "`", "**", "(", "\u{300c}", " \u{201e}"] {
                let bare = format!("{around}{written}");
                assert!(Link::is_meant(&bare) && Link::read(&bare) == Ok(link.clone()), "{bare}");
            }
            assert_eq!(Link::read(&written.replace('m', "\u{ad}m\u{200b}")), Ok(link.clone()));
            for cut in ["\n> ", "\r\n>> > ", "%20", "%0D%0A", "%0a"] {
                let (head, rest) = written.split_at(written.len() - 9);
                let (middle, end) = rest.split_at(4);
                assert_eq!(Link::read(&[head, middle, end].join(cut)), Ok(link.clone()), "{cut}");
            }
        }
    }
}

#[test]
fn what_unpacks_to_more_than_fits_is_refused_and_takes_no_more() {
    let bomb = pack::pack(&vec![b' '; 64 << 20], dictionary::FIRST);
    assert!(bomb.len() < 80_000, "{}", bomb.len());
    assert_eq!(pack::unpack(&bomb, dictionary::FIRST, MOST_BYTES), Err(LinkError::TooLarge));
    assert_eq!(pack::unpack(&[0xff; 40], dictionary::FIRST, MOST_BYTES), Err(LinkError::Broken));
}

#[test]
fn the_dictionary_of_a_format_never_changes() {
    assert_eq!((dictionary::FIRST.len(), xxh3_64(dictionary::FIRST)), (32489, 0x9d19_c05d_14d7_7afb));
}
