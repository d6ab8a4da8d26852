package org.bloomgate.content.image;

import com.google.zxing.BarcodeFormat;
import com.google.zxing.EncodeHintType;
import com.google.zxing.WriterException;
import com.google.zxing.common.BitMatrix;
import com.google.zxing.qrcode.QRCodeWriter;
import com.google.zxing.qrcode.decoder.ErrorCorrectionLevel;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import javax.imageio.ImageIO;

/// A code made by ZXing's writer and what happens to pictures of one.
///
/// @param image in colours and opacity
public record DrawnCode(BufferedImage image) {
    public static DrawnCode of(String text, int module) {
        return of(text, module, Color.BLACK, Color.WHITE);
    }

    public static DrawnCode of(String text, int module, Color dark, Color light) {
        return of(modules(text, 4), module, dark, light);
    }

    static DrawnCode of(BitMatrix modules, int module, Color dark, Color light) {
        int side = modules.getWidth() * module;
        BufferedImage image = new BufferedImage(side, side, BufferedImage.TYPE_INT_ARGB);
        for (int y = 0; y < side; y++) {
            for (int x = 0; x < side; x++) {
                image.setRGB(x, y, (modules.get(x / module, y / module) ? dark : light).getRGB());
            }
        }
        return new DrawnCode(image);
    }

    /// Modules on a side, the margin counted.
    ///
    /// @param module pixels of one
    public int side(int module) {
        return image.getWidth() / module;
    }

    /// Which modules are dark, by rows.
    public List<BitSet> rows(int module) {
        List<BitSet> rows = new ArrayList<>();
        for (int y = 0; y < side(module); y++) {
            BitSet row = new BitSet();
            for (int x = 0; x < side(module); x++) {
                row.set(x, (image.getRGB(x * module, y * module) & 0xff) < 128);
            }
            rows.add(row);
        }
        return rows;
    }

    static BitMatrix modules(String text, int margin) {
        try {
            return new QRCodeWriter()
                    .encode(
                            text,
                            BarcodeFormat.QR_CODE,
                            1,
                            1,
                            Map.of(
                                    EncodeHintType.MARGIN,
                                    margin,
                                    EncodeHintType.ERROR_CORRECTION,
                                    ErrorCorrectionLevel.M));
        } catch (WriterException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /// Turned about its middle on a page that holds it whole.
    DrawnCode turned(double degrees) {
        int side = (int) (Math.max(image.getWidth(), image.getHeight()) * 1.45);
        BufferedImage page = page(side, side, Color.WHITE);
        Graphics2D pen = page.createGraphics();
        pen.setRenderingHint(RenderingHints.KEY_INTERPOLATION, RenderingHints.VALUE_INTERPOLATION_BILINEAR);
        pen.rotate(Math.toRadians(degrees), side / 2.0, side / 2.0);
        pen.drawImage(image, (side - image.getWidth()) / 2, (side - image.getHeight()) / 2, null);
        pen.dispose();
        return new DrawnCode(page);
    }

    DrawnCode scaled(double wide, double high) {
        int width = (int) (image.getWidth() * wide);
        int height = (int) (image.getHeight() * high);
        BufferedImage scaled = page(width, height, Color.WHITE);
        Graphics2D pen = scaled.createGraphics();
        pen.setRenderingHint(RenderingHints.KEY_INTERPOLATION, RenderingHints.VALUE_INTERPOLATION_BILINEAR);
        pen.drawImage(image, 0, 0, width, height, null);
        pen.dispose();
        return new DrawnCode(scaled);
    }

    /// A share of the pixels is black or white by chance.
    DrawnCode noisy(double share, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        BufferedImage noisy = page(image.getWidth(), image.getHeight(), Color.WHITE);
        noisy.createGraphics().drawImage(image, 0, 0, null);
        for (int i = 0; i < share * image.getWidth() * image.getHeight(); i++) {
            int shade = random.nextBoolean() ? 0xffffffff : 0xff000000;
            noisy.setRGB(random.nextInt(image.getWidth()), random.nextInt(image.getHeight()), shade);
        }
        return new DrawnCode(noisy);
    }

    /// On a page of its own colour.
    DrawnCode on(int width, int height, int x, int y, Color colour) {
        BufferedImage page = page(width, height, colour);
        Graphics2D pen = page.createGraphics();
        pen.drawImage(image, x, y, null);
        pen.dispose();
        return new DrawnCode(page);
    }

    static BufferedImage page(int width, int height, Color colour) {
        BufferedImage page = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        Graphics2D pen = page.createGraphics();
        pen.setColor(colour);
        pen.fillRect(0, 0, width, height);
        pen.dispose();
        return page;
    }

    /// @param format as ImageIO calls it
    public byte[] as(String format) {
        BufferedImage stored = image;
        if (!format.equals("png")) {
            stored = page(image.getWidth(), image.getHeight(), Color.WHITE);
            stored.createGraphics().drawImage(image, 0, 0, null);
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            if (!ImageIO.write(stored, format, bytes)) {
                throw new IllegalArgumentException(format);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }
}
