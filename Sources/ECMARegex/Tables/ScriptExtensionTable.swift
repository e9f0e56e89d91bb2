/// Written by Tools/unicode-tables.sh from Unicode 17.0.0:
/// PropertyValueAliases.txt, Scripts.txt, ScriptExtensions.txt.
enum ScriptExtensionTable {
  static let text: StaticString = """
    Adlm Adlam:17j w 55a 2r5
    Aghb Caucasian_Albanian:lg 18 18
    Arab Arabic:170 e 3 w a+a q 53y 2r5 14vw+1 140+r
    Armn Armenian:lk
    Avst Avestan:53 8zc+1
    Beng Bengali:jg 1as+1 h+1 3u2 1 2+1 1 8 8 2 4 2+2 rnd
    Bopo Bopomofo:jr 1+2 d 8x3+2 4+9 1+c a+3 2 6 5f 14jt+1 7u+4
    Bugi Buginese:xjj
    Buhd Buhid:4l1+1
    Cakm Chakma:1ye+9 18w+9
    Cari Carian:53 68y 2 2qb
    Cher Cherokee:lc+2 1 6+1 m+1 b+1
    Copt Coptic Qaac:53 g8 3+1 1 30+1 8f5 1614+r
    Cpmn Cypro_Minoan:1erk+1
    Cprt Cypriot:1erk+2 4+18 3+8
    Cyrl Cyrillic:jg 1v+2 1 1 1 2 5 ab+1 50x 37u
    Deva Devanagari:jg 1as+1 h+1 3u2+12 1+1 s6 qpr+9
    Dogr Dogra:1us+b vcw+9
    Dupl Duployan:53 gf+1 1 o+1 8if 26oz+3
    Elba Elbasan:53 gd
    Ethi Ethiopic:lq
    Gara Garay:170 e 3
    Geor Georgian:53 y9 29d 31a 2qe
    Glag Glagolitic:53 gb 1 am 2 75 29d 31a 2qw nqj
    Gong Gunjala_Gondi:53 1po+1
    Gonm Masaram_Gondi:1us+1
    Goth Gothic:53 gc+1 2 14
    Gran Grantha:1u9+1 h+1 hs+d 3bw 1+1 u+2 3+1 s6 1buy 2hg+1 1
    Grek Greek:53 g8+1 2 1 1 a 1a 2 1a 56z+1 ij
    Gujr Gujarati:1u9+1 h+1 vd6+9
    Gukh Gurung_Khema:1ut
    Guru Gurmukhi:1u9+1 h+1 vd6+9
    Hang Hangul:9hd+2 4+9 1+c g 6 5f 14jt+1 7u+4
    Hani Han:53 9bs+f 1+2 2 1+9 1+c a+3 2 6 4+3 57 44+f w+11 9 1c+13 1k+1c f+b 1f 2g+o a+4 2o+u \
    mpt+7 h8d+1 7u+4 15ve+h 63i+1
    Hano Hanunoo:4l1+1
    Hebr Hebrew:lj+1
    Hira Hiragana:9hd+2 4+9 1+c g+5 1 4+1 2j+3 3 2i+1 14js+1 7u+4 a 19+1
    Hung Old_Hungarian:6e2 2 2qb f
    Java Javanese:xjj
    Kali Kayah_Li:xf2
    Kana Katakana:lh t 8v1+2 4+9 1+c g+5 1 4+1 2j+3 3 2i+1 14js+1 7u+4 a 19+1
    Khoj Khojki:25i+9 v28+9
    Knda Kannada:1u9+1 h+1 3u2 1+1 6 n 1 ri3+5
    Kthi Kaithi:1uu+9 79d o3i+9
    Latn Latin:53 ec a 1+2 1 9 1 12+e 1+1 1 f+2 7+1 1+1 12 5 4+c 7p+1 y2+1 1ig 2kc fq 5c 2li \
    nvs+7 fa
    Limb Limbu:1ut
    Lina Linear_A:1err+18
    Linb Linear_B:1erk+2 4+18 3+8
    Lisu:jg g 8xo+1
    Lyci Lycian:6e2
    Lydi Lydian:53 8zd
    Mahj Mahajani:53 1po+b vcw+9
    Mand Mandaic:18g
    Mani Manichaean:18g
    Mero Meroitic_Hieroglyphs:6e5
    Mlym Malayalam:1u9+1 h+1 3uc n ri5+2
    Modi:x80+9
    Mong Mongolian:4qq+1 1 1m1 34h+1 5+3
    Mult Multani:21y+9
    Mymr Myanmar:xf2
    Nand Nandinagari:1u9 i+1 ow+9 35l 8 7 rhx+5
    Newa:1u9+1 3uq 1+1 9 6 1 1
    Nkoo Nko:170 e 3 1cta+1
    Onao Ol_Onal:1us+1
    Orkh Old_Turkic:6e2 2qd
    Orya Oriya:1u9+1 h+1 3uc n
    Osge Osage:ld 2 6 24
    Ougr Old_Uyghur:18g 1fht
    Perm Old_Permic:53 g8 5+2 a a7
    Phag Phags_Pa:4qq+1 1 1m1 34i
    Phlp Psalter_Pahlavi:18g
    Rohg Hanifi_Rohingya:170 e 3 w 43
    Runr Runic:4iz+2
    Samr Samaritan:94h
    Shaw Shavian:53
    Shrd Sharada:1u9 3ut 1 2+1 2 9 2 ria+5 2
    Sind Khudawadi:1us+1 vd6+9
    Sinh Sinhala:1us+1 3v0
    Sogd Sogdian:18g
    Sunu Sunuwar:lc+1 1 9 2 s 3
    Sylo Syloti_Nagri:1us+1 3k+9
    Syrc Syriac:lf+1 2+1 1 o+2 7+1 1+1 ka e+1 2 w a+a q 4nb 1
    Tagb Tagbanwa:4l1+1
    Takr Takri:1us+1 vd6+9
    Tale Tai_Le:lc+1 5+1 3 2lv+9
    Taml Tamil:1u9+1 h+1 3uc ro8 ky5 1 1j+1
    Tang Tangut:9gw+f dr
    Telu Telugu:1u9+1 h+1 3u7+1 1 1 n
    Tfng Tifinagh:le 1 1+3 p
    Tglg Tagalog:4l1+1
    Thaa Thaana:170 e+1 2 1s+9 1cw8 a
    Thai:jg q 17 19
    Tibt Tibetan:9hk+3
    Tirh Tirhuta:1u9+1 h+1 3u7 c f ri5+9
    Todr Todhri:ld 2 2 9 1 22
    Toto:jg
    Tutg Tulu_Tigalari:2jq+9 35u 1 ri3+5 57
    Yezi Yezidi:170 e 3 1s+9
    Yiii Yi:9hd+1 5+9 2+7 67 14rp+4
    Zinh Inherited Qaai: -lc+e 1+1 1 f+2 7+1 1+1 g 2 i 5 4+c 7p+1 ck+a q kg+1 3ul+2 1+c 1+6 4 6 \
    3+1 5i+1 1i 1 l1 309+3 2z+1 15j9 38a
    Zyyy Common: -53 ec a 1+2 1 9 1 4a if e 3 w mb+1 1hx 167+2 1z+1 5n+1 1 y5 d 7+3 1+5 1+2 2 ms \
    v a 2 2pl o+1 a 4 1 bw+f 1+2 2 1+9 1+c g+5 1 4+3 2j+1 3 2i+1 43+f w+11 9 1c+13 1k+1c f+b 1f \
    2g+o a+4 2o+u mpt+7 88+9 6s 4g gha+1 79+1 7u+4 a 19+1 9s+2 4+18 3+8 bl+q 10o4+3 4ho+h 63i+1
    """
}
