/// Written by Tools/unicode-tables.sh from Unicode 17.0.0:
/// CaseFolding.txt.
enum CaseFoldingTable {
  static let text: StaticString = """
    1t+p>w 51+0>lj 5c+m>w 60+6>w 74+n/>1 8i+2/>1 8p+7/>1 96+m/>1 ag+0-3d ah+2/>1 an+0-7g ap+0>5u \
    aq+1/>1 au+0>5q av+0>1 ax+1>5p az+0>1 b2+0>27 b3+0>5m b4+0>5n b5+0>1 b7+0>5p b8+0>5r ba+0>5v \
    bb+0>5t bc+0>1 bg+0>5v bh+0>5x bj+0>5y bk+2/>1 bq+0>62 br+0>1 bt+0>62 bw+0>1 by+0>62 bz+0>1 \
    c1+1>61 c3+1/>1 c7+0>63 c8+0>1 cc+0>1 ck+0>2 cl+0>1 cn+0>2 co+0>1 cq+0>2 cr+8/>1 da+8/>1 \
    dt+0>2 du+1/>1 dy+0-2p dz+0-1k e0+j/>1 f4+0-3m f6+8/>1 fu+0>8bv fv+0>1 fx+0-4j fy+0>8bs \
    g1+0>1 g3+0-5f g4+0>1x g5+0>1z g6+4/>1 n9+0>38 og+1/>1 om+0>1 ov+0>38 p2+0>12 p4+2>11 \
    p8+0>1s pa+1>1r pd+g>w pv+8>w qq+0>1 r3+0>8 r4+0-u r5+0-p r9+0-f ra+0-m rc+b/>1 s0+0-1i \
    s1+0-1c s4+0-1o s5+0-1s s7+0>1 s9+0-7 sa+0>1 sd+2-3m sg+f>28 sw+v>w v4+g/>1 wa+q/>1 xs+0>f \
    xt+6/>1 y8+1b/>1 10x+11>1c 3a8+11>5ls 3bb+0>5ls 3bh+0>5ls 3y0+5-8 5mo+0-4su 5mp+0-4st \
    5mq+0-4sk 5mr+1-4si 5mt+0-4sj 5mu+0-4sc 5mv+0-4ro 5mw+0>r7n 5mx+0>1 5n4+16-2bk 5od+2-2bk \
    5xc+22/>1 61n+0-1m 61q+0-5vj 61s+1b/>1 64o+7-8 654+5-8 65k+7-8 660+7-8 66g+5-8 66x+3/-8 \
    67c+7-8 688+7-8 68o+7-8 694+7-8 69k+1-8 69m+1-22 69o+0-9 69q+0-5j9 6a0+3-2e 6a4+0-9 6ag+1-8 \
    6ai+1-2s 6aw+1-8 6ay+1-34 6b0+0-7 6bc+1-3k 6be+1-3i 6bg+0-9 6jq+0-5st 6ju+0-6gv 6jv+0-6di \
    6k2+0>s 6lc+f>g 6mb+0>1 792+p>q 8ow+1b>1c 8rk+0>1 8rm+0-8af 8rn+0-2xy 8ro+0-89z 8rr+2/>1 \
    8rx+0-8bg 8ry+0-8al 8rz+0-8bj 8s0+0-8bi 8s2+0>1 8s5+0>1 8se+1-8cf 8sg+1d/>1 8vf+1/>1 8vm+0>1 \
    wu8+m/>1 ww0+d/>1 x0i+6/>1 x0y+u/>1 x2x+1/>1 x31+0-r9g x32+4/>1 x3f+0>1 x3h+0-wmg x3k+1/>1 \
    x3q+9/>1 x4a+0-wn8 x4b+0-wnj x4c+0-wnf x4d+0-wn5 x4e+0-wn8 x4g+0-wlu x4h+0-wmi x4i+0-wlx \
    x4j+0>ps x4k+7/>1 x50+0-1c x51+0-wn7 x52+0-raw x53+1/>1 x57+0-wo7 x58+7/>1 x5o+0-wu9 x6d+0>1 \
    xv4+27-tzk 1ee9+p>w 1fcw+13>14 1fhs+z>14 1fn4+a>13 1fng+e>13 1fnw+6>13 1fo4+1>13 1h1c+1e>1s \
    1h74+l>w 1jfk+v>w 20cg+v>w 20f4+o>r 2olc+x>y
    """
}
