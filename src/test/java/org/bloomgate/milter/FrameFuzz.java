package org.bloomgate.milter;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.channels.Channels;
import java.util.Optional;

/// What holds for any octets from a mail server: they are frames of commands, or an exception of the protocol, and
/// nothing else is thrown.
public final class FrameFuzz {
    private FrameFuzz() {}

    /// The name that Jazzer looks for.
    public static void fuzzerTestOneInput(byte[] octets) {
        FrameReader reader = new FrameReader(Channels.newChannel(new ByteArrayInputStream(octets)));
        Macros macros = new Macros();
        Command.Connect client = new Command.Connect("", Optional.empty(), 0);
        try {
            Optional<Frame> frame = reader.next(FrameReader.MAX_BYTES);
            while (frame.isPresent()) {
                switch (CommandReader.read(frame.get())) {
                    case Command.Negotiate offer -> Negotiation.with(offer).answer();
                    case Command.MacroValues(byte stage, var values) -> macros.put(stage, values);
                    case Command.Connect connect -> client = connect;
                    case Command.Helo(String name) ->
                        MtaClient.of(client, name, macros).text();
                    case Command.Mail(String path) -> ReadPath.of(path);
                    case Command.Rcpt(String path) -> ReadPath.of(path);
                    case Command.Abort _ -> macros.endOfMail();
                    case Command.QuitNewConnection _ -> macros.clear();
                    case Command.Data _,
                            Command.Field _,
                            Command.EndOfHeader _,
                            Command.Body _,
                            Command.EndOfMessage _,
                            Command.UnknownVerb _,
                            Command.Quit _ -> {}
                }
                frame = reader.next(FrameReader.MAX_BYTES);
            }
        } catch (ProtocolException | EOFException e) {
            // one of the answers
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
