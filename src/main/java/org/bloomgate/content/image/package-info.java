/// Pictures read for the QR codes in them (ISO/IEC 18004): PNG, JPEG, GIF, BMP, text made of blocks.
/// Bytes or characters go in, the texts of codes come out.
///
/// Every width, length and count in a picture was written by its sender. The cost of decoding is taken from the
/// message's [org.bloomgate.core.limit.Allowance] before it begins, by the width and height in the header; the
/// search for codes is linear in the pixels, and each bound has a name. A picture too small for a code costs
/// nothing.
///
/// Evaluates nothing, keeps nothing, opens no file. Start reading at [Pictures].
@NullMarked
package org.bloomgate.content.image;

import org.jspecify.annotations.NullMarked;
