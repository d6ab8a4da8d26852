/// Pictures read for the QR codes in them (ISO/IEC 18004): PNG, JPEG, GIF, BMP, text made of blocks.
/// Bytes or characters go in, the texts of codes come out.
///
/// Every width, length and count in a picture was written by anyone who sent it. What decoding costs is paid
/// for before it begins, by the width and height in the header, out of the [PictureAllowance] of the message;
/// the search for codes is linear in the pixels, and each bound has a name. Whatever cannot show a code, as it
/// is too small, costs nothing.
///
/// Evaluates nothing, keeps nothing, opens no file. Start reading at [Pictures].
@NullMarked
package org.bloomgate.content.image;

import org.jspecify.annotations.NullMarked;
