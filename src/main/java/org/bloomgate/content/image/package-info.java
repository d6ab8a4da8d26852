/// Finds the QR codes (ISO/IEC 18004) in pictures: PNG, JPEG, GIF, BMP, text made of blocks, and drawings. The
/// input is bytes, characters or shapes, the output the texts of the codes.
///
/// The widths, lengths and counts in a picture come from its sender and are not trusted. The cost of decoding
/// is taken from the message's [org.bloomgate.core.limit.Allowance] before it begins, by the width and height
/// in the header; the search for codes is linear in the pixels, and each limit has a name. A picture that is
/// too small for a code costs nothing.
///
/// This package evaluates nothing, keeps no state between messages, and opens no file. Start reading at
/// [Pictures].
@NullMarked
package org.bloomgate.content.image;

import org.jspecify.annotations.NullMarked;
