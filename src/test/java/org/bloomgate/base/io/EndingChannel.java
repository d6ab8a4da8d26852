package org.bloomgate.base.io;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/// An open file of an [EndingDisk]: each write is a step.
final class EndingChannel extends FileChannel {
    private final EndingDisk disk;
    private final FileChannel real;

    EndingChannel(EndingDisk disk, FileChannel real) {
        this.disk = disk;
        this.real = real;
    }

    @Override
    public int write(ByteBuffer bytes) throws IOException {
        int now = disk.grow(bytes.remaining());
        int written = real.write(bytes.slice(bytes.position(), now));
        bytes.position(bytes.position() + written);
        return written;
    }

    @Override
    public long write(ByteBuffer[] bytes, int from, int count) throws IOException {
        disk.grow();
        return real.write(bytes, from, count);
    }

    @Override
    public int write(ByteBuffer bytes, long at) throws IOException {
        int now = disk.grow(bytes.remaining());
        int written = real.write(bytes.slice(bytes.position(), now), at);
        bytes.position(bytes.position() + written);
        return written;
    }

    @Override
    public long transferFrom(ReadableByteChannel source, long at, long count) throws IOException {
        disk.grow();
        return real.transferFrom(source, at, count);
    }

    @Override
    public FileChannel truncate(long size) throws IOException {
        disk.change();
        FileChannel _ = real.truncate(size);
        return this;
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        return real.read(into);
    }

    @Override
    public long read(ByteBuffer[] into, int from, int count) throws IOException {
        return real.read(into, from, count);
    }

    @Override
    public int read(ByteBuffer into, long at) throws IOException {
        return real.read(into, at);
    }

    @Override
    public long position() throws IOException {
        return real.position();
    }

    @Override
    public FileChannel position(long at) throws IOException {
        FileChannel _ = real.position(at);
        return this;
    }

    @Override
    public long size() throws IOException {
        return real.size();
    }

    @Override
    public void force(boolean metadata) throws IOException {
        real.force(metadata);
    }

    @Override
    public long transferTo(long at, long count, WritableByteChannel target) throws IOException {
        return real.transferTo(at, count, target);
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long at, long size) throws IOException {
        return real.map(mode, at, size);
    }

    @Override
    public MemorySegment map(MapMode mode, long at, long size, Arena arena) throws IOException {
        return real.map(mode, at, size, arena);
    }

    @Override
    public FileLock lock(long at, long size, boolean shared) throws IOException {
        return real.lock(at, size, shared);
    }

    @Override
    public FileLock tryLock(long at, long size, boolean shared) throws IOException {
        return real.tryLock(at, size, shared);
    }

    @Override
    protected void implCloseChannel() throws IOException {
        real.close();
    }
}
