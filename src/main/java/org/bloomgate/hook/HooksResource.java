package org.bloomgate.hook;

import java.io.IOException;
import java.util.List;
import org.bloomgate.judge.MessageScan;
import org.bloomgate.transit.MailRecords;
import org.bloomgate.web.Answer;
import org.bloomgate.web.HttpOptions;
import org.bloomgate.web.Request;
import org.bloomgate.web.Resource;
import org.bloomgate.web.Route;

/// `POST /v1/hooks`: a mail server asks what to do with a mail, and does it. The mail is judged once it is
/// whole; at every stage before, it goes on. The decision is kept in the journal.
///
/// Whatever goes wrong here is an HTTP error, on which mail servers put the mail off.
public final class HooksResource implements Resource {
    static final String PATH = "/v1/hooks";

    private final MessageScan scan;
    private final MailRecords records;
    private final long maxBodyBytes;

    public HooksResource(MessageScan scan, MailRecords records, HttpOptions options) {
        this.scan = scan;
        this.records = records;
        this.maxBodyBytes = options.maxMessageBytes();
    }

    @Override
    public Route route() {
        return Route.post(PATH, List.of(JSON), maxBodyBytes).with();
    }

    @Override
    public Answer answer(Request request) throws IOException {
        HookRegistration.requireKnown(request);
        HookMail mail = HookReader.read(request.body());
        HookAnswer answer =
                mail.isWhole() ? HookedMail.judge(mail, scan, records) : HookAnswer.accepted(HookEdits.NONE);
        return answer.in(mail.dialect());
    }
}
