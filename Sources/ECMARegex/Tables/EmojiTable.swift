/// Written by Tools/unicode-tables.sh from Unicode 17.0.0:
/// emoji-data.txt.
enum EmojiTable {
  static let text: StaticString = """
    Emoji_Component:z 6 5+9 6ab 5x 17or 1c5y+p e3+4 14g+3 gw30+2n
    Extended_Pictographic:4p 4 68d c 60 m 2i+5 f+1 a7+1 c 4m p+a 4+2 5j 6f+1 a 9 1m+3 1+4 9 2 \
    2+1 2 4 2 1+1 2 3 3+1 8+2 5 1 5+b b+1 2 1+1 1 i 2+1 i+5 1 1+1 3+1 5 2+1 4+1 b+1 5+1 2 5+1 1 \
    1+1 k+1 5+5 1+3 2 4 2 2+5 1 2 1 1 6 3 6 a+1 f 2 4 1 4+2 1 b+1 1c+2 9 e e ac+1 cv+2 j+1 1f 4 \
    yi c gp 1 2fze 13+3 2s+b f+1 f e+1 11+9 34+1 c+1 e 2+9 j+1j r+e a k 2+8 1+3 9+m 6+57 2+33 \
    2+1 1+2 2+2a 2+2 1+3 5+71 1+1q b+5 1+n 7+1 2+7 c 2+3 2 4+1 d+1 2 8+1 9 5+2 c+2 8+2 2 1 4 6 3 \
    6+2d 1c+1x 5+7 2+g 3 1+5 2+c 62+11 c+3 1k+7 a+5 14+7 u+1 c+3 2+d 9+12 c+1a 1+9 1+54 2g+7 \
    e+41 74+sd
    """
}
