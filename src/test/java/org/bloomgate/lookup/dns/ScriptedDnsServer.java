package org.bloomgate.lookup.dns;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Rcode;

/// A DNS server on a loopback port, UDP and TCP, that answers each name as told; a name it was not told about does
/// not exist, TEST is listed.
public final class ScriptedDnsServer implements AutoCloseable {
    private final DatagramSocket udp;
    private final ServerSocket tcp;
    private final String zone;
    private final Map<String, Script> udpScripts = new ConcurrentHashMap<>();
    private final Map<String, Script> tcpScripts = new ConcurrentHashMap<>();
    private final List<String> queried = new CopyOnWriteArrayList<>();
    private final List<Integer> ports = new CopyOnWriteArrayList<>();
    private final List<Integer> ids = new CopyOnWriteArrayList<>();

    /// What is sent for a query: any number of datagrams or of messages on the connection.
    @FunctionalInterface
    public interface Script {
        List<byte[]> answers(Message query) throws IOException;
    }

    public ScriptedDnsServer(String zone) throws IOException {
        this.zone = zone;
        InetAddress loopback = InetAddress.getLoopbackAddress();
        tcp = new ServerSocket(0, 50, loopback);
        udp = new DatagramSocket(new InetSocketAddress(loopback, tcp.getLocalPort()));
        script(
                "test",
                query -> List.of(DnsMessages.addresses(query, 60, "127.0.0.2").toWire()));
        Thread.ofPlatform().daemon().start(this::serveUdp);
        Thread.ofPlatform().daemon().start(this::serveTcp);
    }

    public String address() {
        return "127.0.0.1:" + udp.getLocalPort();
    }

    public ScriptedDnsServer script(String host, Script script) {
        udpScripts.put(host, script);
        return this;
    }

    /// Listed at this address for a minute from now on.
    public ScriptedDnsServer lists(String host, String address) {
        return script(
                host, query -> List.of(DnsMessages.addresses(query, 60, address).toWire()));
    }

    public ScriptedDnsServer tcpScript(String host, Script script) {
        tcpScripts.put(host, script);
        return this;
    }

    /// Names asked, in order, with the zone.
    public List<String> queried() {
        return List.copyOf(queried);
    }

    public long queried(String host) {
        return queried.stream().filter((host + "." + zone)::equals).count();
    }

    public List<Integer> ports() {
        return List.copyOf(ports);
    }

    public List<Integer> ids() {
        return List.copyOf(ids);
    }

    private void serveUdp() {
        byte[] bytes = new byte[2048];
        try {
            while (true) {
                DatagramPacket packet = new DatagramPacket(bytes, bytes.length);
                udp.receive(packet);
                Message query = new Message(Arrays.copyOf(bytes, packet.getLength()));
                ports.add(packet.getPort());
                for (byte[] answer : answers(query, udpScripts)) {
                    udp.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
                }
            }
        } catch (IOException e) {
            // closed
        }
    }

    private void serveTcp() {
        try {
            while (true) {
                Socket client = tcp.accept();
                Thread.ofVirtual().start(() -> serve(client));
            }
        } catch (IOException e) {
            // closed
        }
    }

    private void serve(Socket client) {
        try (client) {
            DataInputStream in = new DataInputStream(client.getInputStream());
            DataOutputStream out = new DataOutputStream(client.getOutputStream());
            while (true) {
                byte[] bytes = new byte[in.readUnsignedShort()];
                in.readFully(bytes);
                for (byte[] answer : answers(new Message(bytes), tcpScripts)) {
                    out.writeShort(answer.length);
                    out.write(answer);
                }
                out.flush();
            }
        } catch (IOException e) {
            // gone
        }
    }

    private List<byte[]> answers(Message query, Map<String, Script> scripts) throws IOException {
        String name = query.getQuestion().getName().toString(true).toLowerCase(Locale.ROOT);
        queried.add(name);
        ids.add(query.getHeader().getID());
        String host = name.endsWith("." + zone) ? name.substring(0, name.length() - zone.length() - 1) : name;
        return scripts.getOrDefault(
                        host,
                        absent -> List.of(DnsMessages.denial(absent, Rcode.NXDOMAIN, zone, 60)
                                .toWire()))
                .answers(query);
    }

    /// A copy with the flag that it was cut short.
    public static byte[] cut(Message response) {
        Message cut = response.clone();
        cut.getHeader().setFlag(Flags.TC);
        return cut.toWire();
    }

    @Override
    public void close() throws IOException {
        udp.close();
        tcp.close();
    }
}
