package org.bloomgate.content.image;

import org.bloomgate.core.limit.Limit;

/// Who has a picture looked at: hears of the codes in it and which bounds were reached.
public interface ImageVisitor {
    /// The remaining allowance for all pictures of one message.
    PictureAllowance pictures();

    /// Something was left unread, by the name of the bound.
    void reached(Limit limit);

    /// The text of a code.
    void code(String text);
}
